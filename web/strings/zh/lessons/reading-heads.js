import {formatNumber} from './number-format.js';

/** @import {Course} from '../../en/lessons/index.js' */

/** @param {number} layer @param {number} head */
const place = (layer, head) => `第 ${layer} 层第 ${head} 头`;

const measuring = {
  place,
  axes: ['层', '头'],
  /** @param {number} layer */
  layer: (layer) => `第 ${layer} 层`,
  /** @param {number} head */
  head: (head) => String(head),
  which: '头',
  picture: '头视图',
  /** @param {number} layer @param {number} head */
  paper: (layer, head) => `论文里的：第 ${layer} 层第 ${head} 头`,
};

/** @type {Course['lessons']['reading-heads']} */
export const readingHeads = {
  title: '读懂真实模型的头',
  summary:
    '从外面看一个训练好的模型：它的部件和形状，汇成一张表的注意力，以及只做一件说得出的事的头。',
  beyond:
    '动手才看得到：一个头做什么，是量出来的，不是凭一张图猜的；于是您会知道，它是不是论文里说的那一个。',
  steps: {
    structure: {
      title: '模型里有什么',
      prose: ({name, layers, heads, hiddenSize}) => [
        `这是本页的模型 ${name}，以及它学到的一切的形状：${layers} 层，每层 ${heads} 个头，每个词元是 ${hiddenSize} 个数的向量。`,
        '权重写作 [输出个数, 输入个数]。{q:query}、{k:key} 和 {v:value} 各是一个方阵：这里看不见头，头是它的若干行。',
        '打开另一层。每层的部件和形状都相同，里面的数字不同。',
      ],
      question: '一层的数字大多在哪里：在注意力里，还是在别处？',
      answer:
        '三分之二在前馈部分（“intermediate”和“output”）：它把每个词元加宽到四倍，再收窄。注意力有四个方阵，另外两个矩阵各有它的四倍大。',
      options: {attention: '在注意力里', elsewhere: '在别处'},
      labels: {numbers: formatNumber},
    },
    ids: {
      title: '词变成数字',
      prose: [
        '模型从没见过词。*分词器*把文本切成词元（词或词的一部分），再到训练前就定好的列表里去查。模型得到的，只是它在列表里的位置。',
        '有两个词元不是任何人写的：开头的 `[CLS]`，用来汇集整句的意思；末尾的 `[SEP]`，表示句子结束。',
      ],
      question: '“unbelievably”会被切成几个词元？',
      answer:
        '列表里没有的词会被切成列表里有的几段，除第一段外都以 `##` 开头。输入它看看。标点也各是一个词元，还加了 `[CLS]` 和 `[SEP]`：所以 16 个词的句子有更多词元。',
      labels: {
        caption: (count) => `${count} 个词元和它们的编号：形状 [1, ${count}]`,
        decoded: '解码：',
      },
    },
    'attention-shape': {
      title: '每个头一个矩阵',
      prose: [
        '对每一对词元，每个头回答一个问题：{k:键}那边词元的{v:值}，有多少进入{q:查询}那边的词元？这就成了一个权重的方阵，每个查询一行。',
        '每层有好几个头，又有好几层。改动句子：方阵随它变大变小，而头数和层数是模型自己的。',
      ],
      question: '句子加长一倍，数字会多多少？',
      answer: '变成四倍：行和列都翻倍。所以长文本对注意力来说很贵。',
      options: {2: '约两倍', 4: '约四倍', 8: '约八倍'},
      labels: {
        whole: (layers, shape) =>
          `${layers} 层，每层 [${shape.join(', ')}]：共 ${formatNumber(layers * shape.reduce((a, b) => a * b, 1))} 个权重`,
        layer: '层',
        attention: (layer) => `第 ${layer} 层的注意力`,
        axes: ['批', '头', '查询', '键'],
      },
    },
    'mean-table': {
      title: '最后一层汇成一张表',
      prose: [
        '对最后一层的各个头取平均，权重就放进了一张表。每一行说一个词元看哪里，每一列说谁在看一个词元。',
        '横着读，一行的数加起来是 1：一个查询正好有一份注意力可以分。竖着读，和是多少就是多少：没有哪个键得到保证。',
      ],
      question: '哪一列的和属于最大的？这意味着什么？',
      answer: ({most}) =>
        `这里是${most.map(({token, sum}) => `“${token}”（${sum.toFixed(3)}）`).join('、')}。一个头即使没什么可找，也必须把那份注意力分出去。\`[CLS]\` 和 \`[SEP]\` 每句都有，许多头就学会放在那里；在别的模型里还有句号或逗号。和大，不等于这个词重要。`,
      labels: {
        mean: (layer) => `第 ${layer} 层各头的平均`,
        axes: ['查询', '键'],
      },
    },
    'previous-token': {
      title: '看前一个和看后一个词元的头',
      prose: [
        'Clark 等人（2019）读了 bert-base 的头，给出了一个几乎把一切都给*后*一个词元的头：第 2 层第 0 头。',
        '一张图可能骗人，所以我们来量：每个头把多少注意力给了前一个词元，多少给了后一个，对句子里的词取平均。两边最大的各加了框。',
        '每个模型都重新分工。由哪个头来做，取决于它开始时的随机数；*总有*一个头来做，才是各个模型的共同点。在 bert-base 里看前一个的是别的头，比如第 3 层第 5 头。',
      ],
      aside:
        'Clark 等人（2019）从 1 数起，叫它“head 3-1”。有的讲解说它看前一个，说反了：在 bert-base 里，前一个词元从它得到的不到 0.0001。',
      question: '把词倒过来写。看前一个词元最多的，还是同一个头吗？',
      answer:
        '注意力本身没有先后。这样的头把邻居带给每个词，后面的层就能处理“told me”这样的词对。它靠的是位置向量而不是词：换掉词，量出来的几乎不变。',
      options: {yes: '还是同一个头', no: '换成另一个头'},
      labels: {
        ...measuring,
        tables: '所有的头',
        back: '给前一个词元的注意力',
        ahead: '给后一个词元的注意力',
        shown: {
          previous: ({layer, head}) => `看前一个：第 ${layer} 层第 ${head} 头`,
          next: ({layer, head}) => `看后一个：第 ${layer} 层第 ${head} 头`,
        },
        finding: (previous, next) =>
          `看前一个：最多 ${previous.best.value.toFixed(3)}，${place(previous.best.layer, previous.best.head)}。` +
          `看后一个：最多 ${next.best.value.toFixed(3)}，${place(next.best.layer, next.best.head)}。` +
          (previous.paper && next.paper
            ? `在 bert-base 里看后一个的第 2 层第 0 头，在这个模型里给后一个词元 ${next.paper.value.toFixed(3)}，给前一个 ${previous.paper.value.toFixed(3)}。`
            : ''),
      },
    },
    'direct-objects': {
      title: '找动词的头',
      prose: [
        '在 bert-base 里，第 7 层第 9 头把直接宾语连到动词：“me”把 0.683 的注意力给了“told”。',
        '任选两个词元，看这个模型里哪个头把它们连得最紧。表中是每个头里前者给后者的权重。',
      ],
      aside: '这个头是 Clark 等人（2019）发现的。他们从 1 数起，叫它“head 8-10”。',
      question: '一个头让“me”给“told”很大的权重。模型就找到直接宾语了吗？',
      answer:
        '仅凭这点还不行：只看前一个词元的头也会这样。要在两者分开的地方检验，比如“told my friend the story”，宾语离动词更远。在许多句子里都成立的，才是发现。',
      labels: {
        ...measuring,
        from: '从',
        to: '到',
        table: '前者给后者的权重',
        finding: ({best, paper, table}, from, to) =>
          `“${from}”到“${to}”：最多 ${best.value.toFixed(3)}，在${place(best.layer, best.head)}。` +
          (paper
            ? `论文里的第 7 层第 9 头：${paper.value.toFixed(3)}。`
            : `这个模型有 ${table.shape[0]} 层，每层 ${table.shape[1]} 个头，所以没有第 7 层第 9 头。`),
      },
    },
    'own-heads': {
      title: '这个模型自己的头',
      prose: [
        '这里是本页模型的分工，在这个句子上量出来的。它们不是论文里的头，也不必是：更小的模型，用别的文本训练，有自己的分工。',
        '选一类，看所有的头，以及其中最强的那个怎样工作。然后改动句子：有些量不变，有些随词而变。',
      ],
      question: '看了一个句子之后，这些里面哪些可信，哪些还不可信？',
      answer:
        '按位置的（前一个、后一个）对任何词都一样，一个句子就够了。“同一个词”需要重复的词，[SEP] 和 [CLS] 取决于头有没有事做：这些要用许多句子检验。',
      labels: {
        ...measuring,
        table: '所有的头',
        caption: '每一类里最强的头',
        kind: '类别',
      },
    },
  },
};
