import {formatNumber} from './number-format.js';

/** @import {Course} from '../../en/lessons/index.js' */

const reroll = '换一组随机数';
const axes = ['批', '词元', '隐藏'];
const weightAxes = ['批', '查询', '键'];

/** @type {Course['lessons']['encoder-by-hand']} */
export const encoderByHand = {
  title: '亲手搭一个编码器层',
  summary: '从五个编号到分类器，一个部件接一个部件，用新的随机权重：整个 Transformer 编码器。',
  beyond:
    '动手才看得到：部件可以检验。打乱词序，叠上 24 层，去掉 [CLS]，看哪个部件是为什么而有的。',
  steps: {
    ids: {
      title: '五个词，五个编号',
      prose: ({vocabulary}) => [
        '我们从零搭一个编码器，用一个有两种读法的句子：是苍蝇喜欢箭，还是时光飞逝？',
        `先是分词器：每个词元在 ${formatNumber(vocabulary)} 个的列表里有固定的位置，从此它就是那个数。特殊词元暂时不加。`,
      ],
      question: '编号说明了词的意思吗？',
      answer:
        '没有。它们只是列表里的位置。编号 2 紧跟编号 1，不说明两个词相像，所以模型做的第一件事就是把编号换成向量。用 bert-base，这五个是 2051, 10029, 2066, 2019, 8612。',
      labels: {caption: (count) => `${count} 个词元，不含特殊词元：形状 [1, ${count}]`},
    },
    lookup: {
      title: '查出它们的向量',
      prose: [
        '嵌入层是一张表，每个词元一行。嵌入一个句子就是抄出它的各行，没有任何计算。',
        '新表里是 0 附近的随机数，大多在 −2 与 2 之间。换一组数，就是另一个网络的开端。这一课里的一切都没有训练过：您看到的是部件做什么，还没学会为了什么去做。',
      ],
      question: '同一个词在句子里出现两次，它的两行有什么不同？',
      answer:
        '完全相同。查表只认词，不认位置。把一个词写两遍，比较那两行。词在哪里，要另外加进去，后面会讲。',
      options: {none: '没有不同', some: '有些数不同', all: '每个数都不同'},
      labels: {
        table: (rows, columns) =>
          `这张表是 [${rows}, ${columns}]：共 ${formatNumber(rows * columns)} 个数。句子从中取出：`,
        rows: 'x',
        axes,
        reroll,
      },
    },
    'near-identity': {
      title: '只看自己的注意力',
      prose: ({size, least}) => [
        '让{q:查询}、{k:键}和{v:值}都是 x。权重几乎就是单位矩阵：每个词元与自己为 1，其余接近 0。',
        `为什么？每个向量有 ${size} 个随机数，大小约为 1。与自己相乘，各项都为正，加起来约 ${size}；除以 √${size} 得 ${Math.sqrt(size).toFixed(1)}。与别的向量相乘，正负相消，停在 0 附近。`,
        `剩下的由 softmax 完成。这里词元留给自己的至少是 ${least.toFixed(3)}。把向量变短，看别的词元怎样进来。`,
      ],
      question: '向量有 768 个数时，对角线的 e 次幂大多少？',
      answer:
        '对角线上的分数约为 √768 = 27.7，e 的 27.7 次幂约一万亿。对角线旁边那些 0.0000000000001 的权重就是这么来的。',
      options: {thousand: '约一千倍', million: '约一百万倍', trillion: '一万亿倍或更多'},
      labels: {
        size: '向量的长度',
        powers: '小数用十的幂表示',
        scores: '分数',
        weights: '权重',
        axes: weightAxes,
        reroll,
      },
    },
    'attention-head': {
      title: '一个头',
      prose: ({hiddenSize, headDim}) => [
        `头在 x 与计算之间放三个线性层，各把 ${hiddenSize} 个数变成 ${headDim} 个：{q:q}、{k:k} 和 {v:v} 是同一个词元的三种样子。`,
        '近似单位矩阵不见了。哪怕层是随机的，一个词元的查询也没有理由像它自己的键。',
        '训练改变的只是这些层：注意力机制本身没有要学的数。',
      ],
      question: '这样一个头要学多少个数？',
      answer: ({hiddenSize, headDim}) =>
        `三个层，各有 ${hiddenSize} × ${headDim} 个权重和 ${headDim} 个偏置：共 ${formatNumber(3 * headDim * (hiddenSize + 1))} 个。与句子的长短无关。`,
      labels: {
        weights: '权重',
        output: '输出',
        axes: ['批', '词元', '头'],
        weightAxes,
        reroll,
      },
    },
    'multi-head': {
      title: '许多头，一个层把它们合起来',
      prose: ({heads, each}) => [
        `一个头只能对其他词元做一种混合。${heads} 个头各有自己的层，就有 ${heads} 种，每个是 [词元, ${each.shape[3]}]。`,
        '把它们并排放好，一行又和 x 一样宽。但到此为止没有一个头知道别的头：头 0 的数永远只在最前面几列。',
        '输出层把它们混合。比较最后两块：形状相同，而后一块的每个数都来自所有的头。',
      ],
      question: '所有头得到的 x 都一样。第一个词元在每个头里看得最多的都是同一个词元吗？',
      answer:
        '它们的层从不同的随机数开始，训练把每个从起点移开，所以各有各的发现。与 softmax 无关：它不是随机的，同样的分数总给同样的权重。',
      options: {yes: '是', no: '不是'},
      labels: {
        weights: '权重',
        weightAxes: ['批', '头', '查询', '键'],
        each: '每个头的输出',
        headAxes: ['批', '头', '词元', '头的大小'],
        joined: '不经和经过输出层',
        combined: '并排',
        output: '输出层之后',
        axes,
        reroll,
      },
    },
    'feed-forward': {
      title: '每个词元单独处理',
      prose: ({hiddenSize, difference}) => [
        `注意力在词元之间搬动了东西之后，前馈网络对每个词元单独工作：${hiddenSize} 个数变成 ${4 * hiddenSize} 个，经过 GELU，再变回 ${hiddenSize} 个。`,
        'GELU 让大的正数通过，让负数几乎为 0。没有它，两层就不过是一层。',
        `单独就是单独。只送第一个词元进去，它的输出变了 ${difference.toFixed(7)}。`,
        '模型在训练时通常还有 *dropout*：随机把一些数变成 0，其余的放大来补偿。没有调用 `eval()` 的网络会一直这样，每次的回答都不同。',
      ],
      question: '橙色的格子经过 GELU 会怎样？',
      answer:
        '它们变淡：负数出来后在 −0.17 与 0 之间。GELU 在零以下先有一个小坑，再回到零，不像 ReLU 一下子就平了。',
      options: {stay: '保持不变', zero: '正好变成 0', fade: '变得接近 0'},
      labels: {
        expanded: '加宽到 4 倍',
        activated: 'GELU 之后',
        output: '输出',
        trained: '训练时的输出',
        dropout: 'Dropout',
        draw: '再抽一次',
        dropped: (empty, count, probability) =>
          `训练时，${count} 个数里现在有 ${empty} 个是 0，约 ${probability * 100}%，其余的除以 ${1 - probability}。训练之后，dropout 什么也不做。`,
        gelu: 'GELU',
        axes: ['批', '词元', '特征'],
        reroll,
      },
    },
    'layer-norm': {
      title: '跳跃连接，以及归一化放在哪里',
      prose: ({depth, width, lengths}) => [
        '注意力和前馈都不替换词元：它们做出的东西是*加*上去的。这条跳跃连接保住词元原来的样子，也给训练一条穿过许多层的直路。',
        '和会变大。层归一化把每个词元的数拉回均值 0、方差 1。最早的 Transformer 和 BERT 在每次相加*之后*归一化（post），较新的模型大多在每个部件*之前*（pre）。',
        `叠 ${depth} 层，看向量的长度；这一步的向量只有 ${width} 个数，这么多层才算得快。post 保持在 ${lengths.post.at(-1)?.toFixed(1)}。pre 让和增长到 ${lengths.pre.at(-1)?.toFixed(1)}，于是越往后，每层相对改变得越少。`,
      ],
      question: '为什么 post 训练开头要小心（“预热”），pre 不太需要？',
      answer:
        'post 的每条跳跃连接在每一层都要过一次归一化，梯度往回走时每次都被缩放。pre 则有一条从头到尾谁也不碰的路。',
      labels: {
        norm: '层归一化',
        norms: {pre: '之前（pre）', post: '之后（post，同 BERT）'},
        skip: ({input, attention, sum, output}) =>
          `一层之中，词元的平均长度：输入 ${input.toFixed(2)}，注意力加上的 ${attention.toFixed(2)}。两者之和长 ${sum.toFixed(2)}，而不是 ${(input + attention).toFixed(2)}：它们的方向不同。层的输出 ${output.toFixed(2)}。`,
        chart: '词元向量的长度',
        depth: '层数',
        length: '平均长度',
        reroll,
      },
    },
    positions: {
      title: '注意力不知道先后',
      prose: [
        '注意力把每个词元与所有词元比较，再取平均：没有一处取决于谁在前。打乱词序，每个词在新位置上得到的输出与原来相同。',
        '所以 BERT 给词的向量加上一个*位置*的向量，来自第二张表，每个位置一行。表中的数说明打乱词序时，每个词元的输出移动了多远。',
      ],
      question: '没有位置的模型会怎样看“dog bites man”？',
      answer:
        '与“man bites dog”一样：每个词在两句里的输出都相同。不是接近，而是完全相同，只差计算的末位数字。',
      options: {same: '和“man bites dog”一样', other: '不一样'},
      labels: {
        shuffle: '再打乱一次',
        changes: '词元输出的变化',
        axes: ['词元', '编码器'],
        columns: ['没有位置', '有位置'],
        reroll,
      },
    },
    encoder: {
      title: '整个编码器',
      prose: ({layers, state}) => [
        `所有部件合起来：词加位置，一次归一化，然后 ${layers} 层，每层是注意力和前馈，带跳跃连接。`,
        `进去的形状是 [${state.shape.join(', ')}]，每一层出来的也是。所以层可以随意叠。`,
        '逐层看下去，盯住同一行：它每次变一点。较新的编码器大多把归一化放在每个部件之前（pre），BERT 放在每次相加之后（post）：权重相同，输出不同。两者都能运行，都不算错，但为一种训练的权重，在另一种里毫无用处。',
      ],
      question: '要改变这个编码器的什么，它才是训练好的 BERT？',
      answer: '只是表和层里的数。部件和顺序就是 BERT 的（BERT 还加一个表示句子 A 或 B 的向量）。',
      labels: {
        after: '层之后',
        state: (layer) => (layer ? `${layer} 层之后的隐藏状态` : '嵌入'),
        preState: (layer) => (layer ? `同上，pre 归一化，${layer} 层之后` : 'pre 编码器的嵌入'),
        lengths: ({post, pre}) =>
          `词元向量的平均长度：post 为 ${post.toFixed(2)}，pre 为 ${pre.toFixed(2)}（这里的 pre 没有最后一次归一化）。`,
        axes,
        reroll,
      },
    },
    classifier: {
      title: '一个词元给出三个标签',
      prose: ({first}) => [
        '要把句子分成三类，取*第一个*词元最后的隐藏状态，加一个线性层：三个数，一个标签一个。softmax 把它们变成份额。',
        `按惯例第一个词元是 \`[CLS]\`，它不代表任何词，可以概括整句。现在读的词元是“${first}”。`,
        '没有训练，答案就没有意义。换个种子，另一个标签就赢了。',
      ],
      question: '把特殊词元关掉。分类器现在读什么？',
      answer:
        '第一个词，例句里是“time”。一切照样运行，形状也对；只是类别从碰巧在最前面的词里读出。编号没加特殊词元时，很容易犯这个错。',
      labels: {
        special: '加上 [CLS] 和 [SEP]',
        first: (token) => `只读这一行：${token}`,
        state: '最后的隐藏状态',
        logits: 'logits（未归一化的分数）',
        probabilities: '份额',
        names: ['标签 0', '标签 1', '标签 2'],
        axes,
        labelAxes: ['批', '标签'],
        reroll,
      },
    },
    pair: {
      title: '训练好的模型里的两个句子',
      prose: [
        '随机数就到这里。这是本页训练好的模型，把“time flies like an arrow”和“fruit flies like a banana”当作一段文本：一个动词和一个名词，写法相同。',
        '每个句子以 `[SEP]` 结束，每个词元都被告知属于哪一句。指向任一句里的“flies”，看它往哪里看。',
      ],
      question: '第一个“flies”和第二个的向量一样吗？',
      answer: ({word, byLayer}) => {
        const [first, last] = [byLayer[0], byLayer[byLayer.length - 1]];
        if (!word || !first || !last) return '这里没有两句都有的词。';
        const moved = last.same > first.same ? '更近了' : '更远了';
        return (
          `不一样。嵌入之后，两个“${word}”的余弦是 ${first.same.toFixed(3)}：同样的词，位置不同，句子不同。` +
          `然后各自从自己的邻居那里收集，“上下文相关”就是这个意思；最后一层之后是 ${last.same.toFixed(3)}。所以在这里它们${moved}。` +
          `但要比较：这段文本里两个不同的词，平均从 ${first.different.toFixed(3)} 变到 ${last.different.toFixed(3)}。有了这个对照，余弦才说明问题。`
        );
      },
      options: {yes: '一样', no: '不一样'},
      labels: {
        picture: '头视图',
        cosines: '两个向量有多像',
        cosineAxes: ['之后', '余弦'],
        state: (index) => (index ? `第 ${index - 1} 层` : '嵌入'),
        same: (word) => `两个“${word}”`,
        different: '不同的词',
        layer: '层',
        head: '头',
        start: (start, token) =>
          token
            ? `第二个句子从第 ${start} 个词元“${token}”开始。`
            : `只有一个句子，共 ${start} 个词元。`,
      },
    },
    'causal-mask': {
      title: '用 −∞ 做掩码',
      prose: [
        '解码器一次写一个词元，所以学习时任何词元都不许看后面的。掩码在 softmax *之前*把它们的分数设为 −∞。',
        'e 的 −∞ 次幂是 0：不是少看，而是不看。而且 softmax 在后，每一行的和仍为 1。第一个词元只能看自己。',
      ],
      question: '为什么不在 softmax 之后把权重设为 0？',
      answer:
        '那样各行的和就不再是 1，而且被遮住的词元已经起了作用：它们的分数在别人要除的那个和里。',
      labels: {
        causal: '因果掩码',
        scores: '加了掩码的分数',
        weights: '权重',
        axes: weightAxes,
        reroll,
      },
    },
  },
};
