import {formatNumber} from './number-format.js';

/** @import {Course} from '../../en/lessons/index.js' */

const sources = {
  source: '查询和键来自',
  sources: {
    random: '随机嵌入',
    model: '模型的嵌入',
    head: '第 0 层第 0 头',
  },
  reroll: '换一组随机数',
};

/** @type {Course['lessons']['query-key-value']} */
export const queryKeyValue = {
  title: 'BERT 里的查询、键和值',
  summary: '一个头怎样把词变成权重：每个词三个向量，每一对词一个分数，一次 softmax，一次平均。',
  beyond:
    '动手才看得到：q = k = v 时，注意力要么只看自己，要么把一切都看得一样。让它有所选择的，是训练放在词与 q、k 之间的东西。',
  steps: {
    'neuron-view': {
      title: '一个头，逐个数字地看',
      prose: [
        '头给每个词元造三个向量。{q:查询}说这个词元在找什么，{k:键}说它能提供什么，{v:值}是被看到时交出去的东西。',
        '在左边选一个词元。它的查询与每个键逐个数字相乘再相加，每一对得到一个分数。softmax 把分数变成权重，权重把值混合起来。',
        '这是第 0 层第 0 头。这里没有 `[CLS]` 和 `[SEP]`：打开它们，看一个头给了它们多少。后面的步骤从零搭出同样的东西，不加特殊词元。',
      ],
      question: '不除以 √d。第一个词元最大的权重会怎样？',
      answer: ({headDim}) =>
        `一个分数是 ${headDim} 个乘积之和，项数越多和越大。除以 √${headDim} = ${Math.sqrt(headDim).toFixed(2)}，分数的大小就与向量的长短无关。不除的话，softmax 几乎会把一切都给同一个键。`,
      options: {larger: '变大', same: '不变', smaller: '变小'},
      labels: {special: '加上 [CLS] 和 [SEP]', detail: '一对词元，逐个数字'},
    },
    configuration: {
      title: '编号，以及一切的大小',
      prose: ({hiddenSize, heads}) => [
        '在任何计算之前有两样东西：词元的编号，和*配置*。配置定下每张表、每个层的大小，权重就是填在这个框架里的数。',
        `每个词元变成 ${hiddenSize} 个数的向量，由 ${heads} 个头分用：各 ${hiddenSize / heads} 个。bert-base 是 768 和 12：各 64 个。`,
        '改动句子：编号会变，配置不变。',
      ],
      question: '这些数里，哪一个限制了文本的长度？',
      answer:
        '`max_position_embeddings`：位置表里每个位置一行，再往后就没有行了。模型里别的东西都与长度无关。',
      labels: {
        ids: '编号',
        config: '配置',
        caption: (count) => `${count} 个词元和它们的编号：形状 [1, ${count}]`,
      },
    },
    embeddings: {
      title: '词元是一行数字',
      prose: ({vocabulary, hiddenSize}) => [
        `*嵌入*是一张表，模型认识的 ${formatNumber(vocabulary)} 个词元各占一行，每行 ${hiddenSize} 个数。查一个句子，就是把它的各行抄出来。`,
        '先是一张新表：每个数都是随机抽的，网络就从这里开始。然后是这个模型学到的行。指向格子就能读出数字。',
        '两个向量方向越接近，它们的*余弦*越接近 1。',
      ],
      question: '换一组随机数。随机表里最像的还是那两个词元吗？',
      answer: ({alike}) =>
        `随机表里最近的一对只是碰巧（${alike.random.cosine.toFixed(2)}），换一组数就是另一对。学到的表里是“${alike.own.a}”和“${alike.own.b}”（${alike.own.cosine.toFixed(2)}），无论怎么抽都一样：用法相近的词元，位置也变得相近。`,
      options: {same: '还是那两个', other: '换成另一对'},
      labels: {
        random: '随机嵌入',
        own: '模型的嵌入',
        axes: ['批', '词元', '隐藏'],
        reroll: '换一组随机数',
        alike: ({a, b, cosine}) => `最像的一对：“${a}”和“${b}”，余弦 ${cosine.toFixed(3)}。`,
      },
    },
    scores: {
      title: '每一对都有一个分数',
      prose: ({tokens, size, length, source}) => [
        '为了看清机制本身，让{q:查询}、{k:键}和{v:值}都等于嵌入。一对词元的分数，是前者的查询与后者的键的点积，再除以 √d。',
        source === 'head'
          ? '这里的查询和键来自训练过的头。对角线不再特别。'
          : `对角线上，每个向量遇见自己，点积就是长度的平方。“${tokens[0]}”的长度是 ${length.toFixed(3)}，分数是 ${length.toFixed(3)}² / √${size} = ${(length ** 2).toFixed(2)} / ${Math.sqrt(size).toFixed(Number.isInteger(Math.sqrt(size)) ? 0 : 2)} = ${(length ** 2 / Math.sqrt(size)).toFixed(2)}。`,
        '两边用同一个嵌入时，这张表与自己的镜像相同：“aircraft”给“air”的分数，就是“air”给“aircraft”的分数。换成训练过的头，查询与键不同，对称就没有了。',
      ],
      question: '用随机嵌入，把除法关掉。softmax 会得到什么？',
      answer: ({size}) =>
        `对角线约为 ${size}，其余远在其下。softmax 看的是差的 e 次幂，所以一切都归对角线。其实除过之后也几乎如此。`,
      options: {itself: '注意力全给自己', between: '给自己的比给别人的多', even: '各词元一样多'},
      labels: {
        ...sources,
        scaled: (size) => `除以 √${size}`,
        scores: '分数',
        axes: ['批', '查询', '键'],
      },
    },
    'softmax-axis': {
      title: 'softmax 的错与对',
      prose: [
        'softmax 让数字变成正数，并且和为 1。但沿着哪个方向？一个查询把注意力分给各个键，所以每一*行*的和应为 1。',
        '沿错误的轴，则是每一*列*的和为 1。于是大家都看的词元被摊薄，而一个查询可能交出好几份，也可能几乎没有。程序不会报错，形状也都对。',
        '用随机嵌入也试试两个轴。',
      ],
      question: '用随机嵌入和错误的轴。各行的和是多少？',
      answer:
        '几乎一切都在对角线上，而分数表与自己的镜像相同，行与列是一回事，所以两种做法看上去都对。错误就是这样留下来的：例子太简单，显不出它。训练过的头一看便知。',
      options: {one: '都约为 1', any: '什么都可能'},
      labels: {
        ...sources,
        axis: 'softmax 沿',
        axisChoices: {queries: '列（错）', keys: '行（对）'},
        weights: '权重',
        axes: ['批', '查询', '键'],
        sums: (rows, columns) => `各行的和为 ${between(rows)}，各列的和为 ${between(columns)}。`,
      },
    },
    diagonal: {
      title: '词元给自己多少',
      prose: ({length, tokens, hiddenSize}) => [
        `对角线上的权重，是词元给自己的。随机嵌入里是全部：${hiddenSize} 个随机数组成的向量长约 √${hiddenSize} = ${Math.sqrt(hiddenSize).toFixed(0)}，除了自己谁也不像。只有出现不止一次的词元，才与同类分享。`,
        `模型自己的嵌入正好相反。它的向量很短（“${tokens[0]}”长 ${length[1].toFixed(2)}），所有分数都接近 0，每个词元得到的一样多：${tokens.length} 分之 1，即 ${(1 / tokens.length).toFixed(3)}。`,
        '所以 q = k = v 时，注意力要么停在原地，要么摊到所有词元上。最后一列训练过的头，两者都不是。',
      ],
      question: '这个头有什么，是嵌入本身没有的？',
      answer:
        '两个学到的矩阵，一个给 {q:q}，一个给 {k:k}。它们决定拿一个词的哪一部分，去比另一个词的哪一部分，以及比得多强。这样“it”才能去找名词，而不是另一个“it”。',
      labels: {
        own: '给自己的权重',
        axes: ['词元', '来源'],
        columns: ['随机', '模型', '头'],
        reroll: '换一组随机数',
      },
    },
    'weighted-average': {
      title: '输出是平均',
      prose: [
        '每个词元的输出，是所有{v:值}各乘权重之后的和。权重都是正数、和为 1，所以这是加权平均：输出落在各个值之间，不会在外面。',
        '选一个词元，看它由谁的值组成。在随机嵌入里，它只由自己的值组成，注意力等于什么也没做。',
        '旁边是一个常见的错误，沿查询的 softmax，得到的：一个词元的权重加起来少于或多于 1，它的输出就不再是平均，而是太短或太长。',
      ],
      question: '权重说取了多少值。它也说明这有多重要吗？',
      answer:
        '单凭它不行。很大的权重乘上几乎为零的值，等于几乎没加，许多头正是这样停在 [SEP] 上的。请把权重与值的各行对照着看。',
      labels: {
        ...sources,
        query: '查询',
        sum: '输出写成和',
        output: '输出：',
        weights: '它的权重',
        wrongWeights: '它的权重，softmax 沿查询（错）',
        wrongOutputs: '输出，softmax 沿查询（错）',
        wrongSum: (sum) => `这个查询的权重和为 1。softmax 沿查询时，和为 ${sum.toFixed(2)}。`,
        weightAxes: ['批', '查询', '键'],
        value: 'v',
        outputs: '输出',
        axes: ['批', '词元', '大小'],
      },
    },
  },
};

/** @param {{least: number, most: number}} sums */
function between({least, most}) {
  const [a, b] = [least.toFixed(2), most.toFixed(2)];
  return a === b ? String(Number(a)) : `${a} 到 ${b}`;
}
