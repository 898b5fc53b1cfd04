/** @import {Course} from '../../en/lessons/index.js' */

const reroll = '换一组随机数';
const axes = ['批', '词元', '隐藏'];

const ways = {
  weights: '权重',
  output: '输出',
  wrongWeights: '权重，softmax 沿查询（错）',
  wrongOutput: '输出，softmax 沿查询（错）',
  /** @param {{least: number, most: number}} rows */
  ways: ({least, most}) =>
    `正确：权重每行的和为 1。softmax 沿查询时：各行的和从 ${least.toFixed(2)} 到 ${most.toFixed(2)} 都有。`,
};

const padded = {
  keep: '遮住填充',
  /** @param {number} share @param {boolean} isPadded */
  padding: (share, isPadded) =>
    isPadded
      ? `短句各词的注意力中，有 ${(share * 100).toFixed(1)}% 给了填充。`
      : '两个句子一样长，没有填充。',
};

/** @type {Course['lessons']['attention-from-scratch']} */
export const attentionFromScratch = {
  title: '从零开始的注意力',
  summary:
    '一个批里的两个句子，对过去求平均，用随机层做自注意力，多个头，以及使它成为解码器的掩码。',
  beyond:
    '动手才看得到：三个不改变形状的错误。让填充得到注意力、除错了数、漏掉一层，运行起来都不报错；在这里能看到它们做了什么。',
  steps: {
    batch: {
      title: '两个句子，一个批',
      prose: ({texts, length}) => [
        '张量没有参差的边。要同时处理两个句子，短的就用 `[PAD]` 填到一样长。',
        `于是编号的形状是 [${texts}, ${length}]，还有一个同样形状的*掩码*记着哪些是真的：词元为 1，填充为 0。`,
        '把一个句子写长，看另一个怎样被填满。',
      ],
      question: '填充会改变模型对短句的结果吗？',
      answer:
        '不会，掩码就是为此而设：它把填充排除在每次 softmax 之外。没有它，填充会像普通的词一样得到注意力。再走三步就能看到。',
      options: {yes: '会', no: '不会'},
      labels: {
        text: (i) => (i ? '第二个句子：词元和编号' : '第一个句子：词元和编号'),
        ids: '词元和编号',
        mask: '注意力掩码',
        axes: ['批', '词元'],
        rows: ['第一', '第二'],
      },
    },
    'hidden-states': {
      title: '输入：每个词元一个向量',
      prose: ({x}) => [
        `训练好的模型读了两个句子，给每个词元一个向量。这就是 x，形状 [${x.shape.join(', ')}]：批、词元、隐藏。用 bert-base 则是 [2, 12, 768]。`,
        '注意力接过这样一个张量，交回一个同样形状的。中间发生什么，就是这一课。',
        '每一行有许多小数字，还有几列在每一行里都很强：那是模型留给自己用的。',
      ],
      question: '“police”在两个句子里都有。它的两行一样吗？',
      answer:
        '不一样，虽然词和它的嵌入相同。这些是模型*末尾*的向量，各自已从自己的句子里收集了东西。指向格子比较一下。',
      options: {same: '一样', other: '不一样'},
      labels: {axes},
    },
    'causal-average': {
      title: '最简单的注意力：对过去求平均',
      prose: [
        '在比较任何东西之前：让每个词元取自己和前面所有词元的平均。写成权重表，就是 1，然后 ½ ½，然后 ⅓ ⅓ ⅓，依此类推。',
        '注意力要用的诀窍就在这里。先全部写零，在对角线之上，也就是未来，写上 −∞。softmax 把零变成相等的份额，把 −∞ 变成没有。',
        '然后一次矩阵乘法，权重乘 x，就把所有平均一起算完。',
      ],
      question: '换一个末尾的词。这些平均里有几个会变？',
      answer:
        '只有它自己的：前面的词元都不许从它取东西。分数不是零，份额就不再相等：一个词元可以从这个邻居取得比那个多。注意力就是这张表，只是分数由词元自己算出。',
      options: {none: '都不变', last: '只有它自己的', all: '全部'},
      labels: {
        masked: '分数：零，之上为 −∞',
        weights: '权重',
        output: '平均',
        axes: ['查询', '键'],
        outputAxes: axes,
      },
    },
    'self-attention': {
      title: '用随机层做自注意力',
      prose: [
        '三个线性层从 x 造出{q:查询}、{k:键}和{v:值}。分数是查询与键的乘积，再除以其大小的平方根。',
        '*编码器*让每个词元看到所有词元。*解码器*不许往后看：打开开关，右上的三角就空了，和前面的平均一样。',
        '这些层是随机的，所以权重近乎均匀：没训练过的注意力差不多就是平均。旁边是一个常见的错误，`softmax(dim=1)`：那里和为 1 的是每一*列*，一个查询取得可多可少。它不报错，形状也全对。',
      ],
      question: '不打开“遮住填充”。短句的一部分注意力去了哪里？',
      answer:
        '去了 [PAD]，一个没有人写过的词元。它那一列和别的一样强。填充再长些，就会占去大半。打开掩码，那一列正好为 0。',
      options: {padding: '去了 [PAD]', words: '只在自己的词里'},
      labels: {
        causal: '解码器（因果）',
        ...padded,
        ...ways,
        weightAxes: ['批', '查询', '键'],
        axes,
        reroll,
      },
    },
    'multi-head': {
      title: '多个头',
      prose: ({heads, hiddenSize}) => [
        `不用一个对 ${hiddenSize} 个数的注意力，而用 ${heads} 个，各对 ${hiddenSize / heads} 个数。每个头有自己的三个层，可以找不同的东西。`,
        '它们的输出并排放好，又和 x 一样宽。向量像 bert-base 那样有 768 个数，分给 8 个头（它自己有 12 个）：8 个 [2, 12, 96] 合成 [2, 12, 768]。',
        '最后一个线性层把它们混合。它很容易漏掉：不会报错，但每个头只待在自己的列里，没有一个数取决于两个头。',
      ],
      question: '头多了，权重也要多吗？',
      answer:
        '不。三个层合起来各是 隐藏 × 隐藏，与几个头分用无关：头多一倍，大小减半。变多的是权重表，一个头一张。',
      options: {more: '要更多', same: '不变', fewer: '反而更少'},
      labels: {
        heads: '头数',
        ...padded,
        withOutput: '加上最后一层',
        ...ways,
        weightAxes: ['批', '头', '查询', '键'],
        each: '每个头的输出',
        headAxes: ['批', '头', '词元', '头的大小'],
        outputs: '不加和加上最后一层',
        combined: '并排，不加最后一层',
        output: '最后一层之后',
        twoWays: '两种做法',
        wrongOutput: '并排，softmax 沿查询（错）',
        axes,
        reroll,
        shapes: (heads, [batch, , tokens, size], combined) =>
          `每个头：[${batch}, ${tokens}, ${size}]。${heads} 个并排：[${combined.join(', ')}]。`,
      },
    },
    scale: {
      title: '除以哪个平方根？',
      prose: ({headDim, hiddenSize, heads}) => [
        `一个头的分数是 ${headDim} 个乘积之和，所以除以 √${headDim}。很容易写成整个向量的 √${hiddenSize}，而且没有任何报错。`,
        `可是那样所有分数都小了 √${heads} 倍，差别小的 softmax 近乎均匀。*熵*就量这个：全在一个词元上为 0，均匀摊开则是词元数的对数。`,
        '比较这两列，先看训练过的头的查询和键，再看随机的。',
      ],
      question: '换成随机层。错误的除数会让它们的注意力变得和训练过的头一样模糊吗？',
      answer:
        '在学会了选择的头上才有差别：它们的注意力会变模糊。随机层几乎不选择，也就没什么可模糊的。从一开始就带着这个错误训练的模型，可以用更大的权重补回来；而把模型装进带错误的代码里，就补不回来了。',
      options: {less: '轻得多', same: '差不多', more: '重得多'},
      labels: {
        source: '查询和键来自',
        sources: {trained: '训练过的第 0 层', random: '随机层'},
        entropy: '权重的熵（奈特）',
        axes: ['头', '除数'],
        head: (head) => `头 ${head}`,
        reroll,
        means: ([right, slip], tokens) =>
          `一个查询实际摊到 ${tokens} 个词元中的 ${Math.exp(right).toFixed(1)} 个；除错时摊到 ${Math.exp(slip).toFixed(1)} 个。`,
      },
    },
    'masked-multi-head': {
      title: '不能往后看的多个头',
      prose: ({weights, output, isRead}) => [
        `合在一起：${weights.shape[1]} 个头，都有因果掩码${isRead ? '' : '，再加最后一层'}。权重是 [${weights.shape.join(', ')}]，输出是 [${output.shape.join(', ')}]，与 x 相同。`,
        ...(isRead
          ? [
              '这里的 x 是 `last_hidden_state`：模型末尾的向量，特殊词元的也在内。只遮住未来，不遮填充；输出并排放着，还没有经过最后一层。',
              '给第一个句子换上另一个末尾词元：它之前的输出也变了。双向阅读的模型早已看过后面，掩码无法再把它从向量里去掉。',
            ]
          : [
              '掩码有什么用？给第一个句子换上另一个末尾词元，一切重算。它之前的输出，一位数字也不变。正因如此，解码器可以一次从整段文本学习。',
              'softmax 沿查询时，它之前的每个输出也都动了：掩码在那里，*未来*还是漏了进来。',
            ]),
      ],
      question: 'softmax 沿错误的轴，有掩码时更糟。为什么？',
      answer:
        '那样分配的是每一*列*：一个词元从第一个词元取多少，取决于后面所有词元的分数，也就是取决于未来。各行的和也不再是 1：最后一个词元只有自己看得到，于是把自己整个取走。',
      labels: {
        heads: '头数',
        ...ways,
        weightAxes: ['批', '头', '查询', '键'],
        axes,
        reroll,
        last: (token) => `把末尾的“${token}”换成`,
        read: 'x = 最后的隐藏状态',
        changes: '各个输出的变化',
        changeAxes: ['词元', '做法'],
        changeColumns: ['正确', '错误'],
        change: (before, last, leak) =>
          `换掉最后一个词元，它之前的输出变了 ${before.toFixed(7)}，它自己的最多变了 ${last.toFixed(3)}。softmax 沿查询时，它之前的最多变了 ${leak.toFixed(4)}。`,
        changeRead: (before, last) =>
          `换掉最后一个词元，它之前的输出最多变了 ${before.toFixed(4)}，它自己的最多变了 ${last.toFixed(3)}：在掩码之前，x 已经看过后面。`,
      },
    },
  },
};
