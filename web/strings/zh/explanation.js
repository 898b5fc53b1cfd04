/** @import {ExplanationStrings, NamedAmount} from '../en/explanation.js' */

/** @param {readonly NamedAmount[]} tokens */
const list = (tokens) =>
  tokens
    .map(({token, amount, isOfAnswer}) => `“${token}”（${isOfAnswer ? '已写出，' : ''}${amount}）`)
    .join('、');

/**
 * What the workbench says of why a model gives an answer, in Simplified Chinese.
 *
 * @type {ExplanationStrings}
 */
export const explanation = {
  help: '每个词元对这个答案贡献多少？只看注意力是不够的：头看的地方未必影响答案。',
  noMethod: '对于像 T5 这样加上词元距离、或不做除法的得分，目前还没有定义任何方法。',
  noAnswer:
    '这个模型没有可以解释的答案：它不猜词，不分类，也不给出句子向量。请在“模型…”里选一个有答案的模型。',
  pin: '点击图中的一个词把它遮住，或者在句子里输入 [MASK]，然后看是哪些词带来了这个猜测。',
  answer: '答案',
  sameAnswer: '模型最可能的猜测就是这个词本身。',
  ratherThan: '而不是',
  anyOther: '任何其他答案',
  method: '方法',
  vector: '句子向量',
  why: (answer) => `哪些词带来了“${answer}”？`,
  guess: (word, share) => `“${word}”（${share}）`,
  likeliest: '最可能的猜测',
  itself: (word) => `原来的词“${word}”`,
  class: (label) => `类别“${label}”`,
  title: {
    word: (word, masked, mask) =>
      masked ? `如果把“${masked}”换成 ${mask}，哪些词会带来“${word}”？` : `哪些词带来了“${word}”？`,
    class: (label) => `哪些词带来了类别“${label}”？`,
    tokenClass: (label, token) => `哪些词使“${token}”得到“${label}”？`,
    vector: '句子向量由什么组成？',
    contrast: (answer, other) => `哪些词支持“${answer}”而不是“${other}”？`,
  },
  methods: {
    decompx: {
      name: 'DecompX',
      does: '跟踪每个词元在各层中加入的部分，直到答案。这些数之和就是答案的 logit。',
      limit: '它保持注意力不变，所以不能说明没有某个词元时头会看哪里。',
    },
    'integrated-gradients': {
      name: '积分梯度',
      does: '把 [MASK] 一点点变成每个词，把答案一路上的反应加起来。',
      limit: '它不改变特殊词元，所以对它们什么也没说。',
    },
    gradient: {
      name: '梯度 × 输入',
      does: '每个词有极小变化时，答案会怎样反应。',
      limit: '极小的变化很难说明没有这个词会怎样。',
    },
    alti: {
      name: 'ALTI',
      does: '每个词元的部分与该层之和有多接近，再逐层累积。',
      limit: '它说明混入了多少，不说明是支持还是反对答案。',
    },
    'alti-logit': {
      name: 'ALTI-Logit',
      does: '答案前一个词元的注意力在各层给答案的得分加了多少，再用 ALTI 追溯到它来自哪些词。',
      limit: '前馈网络、偏置和那个词元本身加入的部分不属于任何词，因此不计在内。',
    },
    'alti-plus': {
      name: 'ALTI+',
      does: '贯穿模型两半的 ALTI：每个词元的部分与注意力所得之和有多接近，再逐层累积。',
      limit: '它只说混入了多少，不说支持还是反对该词元。',
    },
    globenc: {
      name: 'GlobEnc',
      does: '每个词元的部分在各层之后有多长，再逐层累积。',
      limit: '它没有正负，长的部分可能互相抵消。',
    },
    norm: {
      name: '范数',
      does: '每个词元的部分在注意力、残差以及其后的层归一化（如果有）之后有多长，再逐层累积。',
      limit: '它不考虑前馈网络，也没有正负。',
    },
    'value-zeroing': {
      name: 'Value Zeroing',
      does: '去掉一个词元的值时，该层输出转过多少，再逐层累积。',
      limit: '它没有正负，也不说明两个词元共同的作用。',
    },
  },
  ofDecoder: {
    'integrated-gradients': {
      does: '把结束文本的词元一点一点变成每个词，并累加答案一路上的反应。',
      limit: '它不改变开始文本的词元，因此对它没有任何说明。',
    },
  },
  ofWritten: {
    'integrated-gradients': {
      does: '把结束文本的词元一点一点变成每个词，并累加答案一路上的反应。',
      limit: '它不改变开始译文的词元和结束原文的词元，因此对它们没有任何说明。',
    },
  },
  tokens: '各词元的贡献',
  save: '保存为 CSV',
  saveFigure: '保存为 SVG',
  unchanged: '模型未改动时',
  token: (token, amount) => `“${token}”：${amount}`,
  signed: (most, against) =>
    [
      most.length ? `最支持它的：${list(most)}。` : '',
      against.length ? `反对它的：${list(against)}。` : '',
    ]
      .filter(Boolean)
      .join(''),
  shares: (most) => `主要来自 ${list(most)}。`,
  special: (names, amount) => `${names} 合计：${amount}。`,
  sums: {
    logit: (sum) => `这些数之和是 ${sum}，即答案的得分（logit）。`,
    contrast: (sum) => `这些数之和是 ${sum}：它的得分（logit）比另一个高出这么多。`,
    attention: (sum) => `这些数之和是 ${sum}：注意力给答案的得分（logit）加了这么多。`,
    attentionContrast: (sum) =>
      `这些数之和是 ${sum}：注意力给它的得分（logit）比给另一个多加这么多。`,
    length: (sum) => `这些数之和是 ${sum}，即向量的长度。`,
    difference: (sum) => `这些数之和是 ${sum}：答案比所有词都被遮住时高出这么多。`,
    differenceFromEnds: (sum) =>
      `这些数之和是 ${sum}：答案比只由结束词元组成的文本之后高出这么多。`,
  },
  start: '开始解释',
  slow: (tokens) => `这段文字有 ${tokens} 个词元，可能要算很多秒。`,
  cancel: '取消',
  written: {
    title: (word) => `模型写出“${word}”的依据是什么？`,
    choose: '写出的词元',
    says: (source, before) => `${source} 来自原文，${before} 来自已写出的内容。`,
    source: '来自读入的文本',
    before: '来自之前写出的内容',
  },
  parts: {
    title: (word) => `模型的哪些部分写出了“${word}”？`,
    contrast: (word, other) => `模型的哪些部分支持“${word}”而不是“${other}”？`,
    hint: '每个部分都给读出下一个词的状态加上一些东西，从而影响它的得分（logit）。一个部分通过后面的部分起的作用不计在内（直接 logit 归因）。',
    for: '最支持它的',
    against: '最反对它的',
    feedForward: (layer) => `前馈网络 ${layer}`,
    words: '词元本身',
    positions: '它的位置',
    biases: '偏置',
    added: (word) => `对“${word}”的贡献`,
    all: ({heads, feedForward, words, positions, biases}) =>
      `合计：注意力头 ${heads}，前馈网络 ${feedForward}，词元本身 ${words}，它的位置 ${positions}，偏置 ${biases}。`,
    sum: (sum, remainder) => `它们之和是 ${sum}，即它的得分；舍入误差为 ${remainder}。`,
  },
  curve: {
    title: '答案真的取决于这些词元吗？',
    help: '按贡献从大到小遮住词元，看答案还剩多少。',
    says: (count, before, after, random) =>
      `遮住前 ${count} 个词元后，${before} 变成 ${after}；随机遮住同样多个，剩 ${random}。`,
    noBetter: (method, measures) =>
      `在这段文本上，就${measures.join('和')}而言，${method} 不比随机顺序好：它的数不能说明答案取决于哪些词。`,
    noBetterShort: '不比随机好',
    inOrder: '按此顺序',
    atRandom: '随机',
    masked: '个词元被遮住',
    run: '逐个遮住词元',
    compare: '在这段文本上比较所有方法',
    cancel: '取消',
    comprehensiveness: '全面性',
    comprehensivenessHelp: '先遮住排在前面的词元时，答案平均下降多少。越大越好。',
    sufficiency: '充分性',
    sufficiencyHelp: '只留下排在前面的词元时，答案平均下降多少。越小越好。',
    random: '随机顺序',
    none: '没有可以遮住的词元：文本没有别的词元。',
  },
  patch: {
    title: '模型在哪里作出决定？',
    help: '改动句子，让答案也跟着变。模型会反复运行这个句子，每次把一个部分换成另一个句子的：0% 表示答案不变，100% 表示变成另一个答案。',
    other: '词元数相同的另一个句子',
    run: '逐个交换',
    cancel: '取消',
    answers: (here, there) => `这里的答案是“${here}”，那里是“${there}”。`,
    same: (answer) => `两个句子的答案都是“${answer}”，所以看它的 logit。`,
    vector: '看的是句子向量：100% 就是另一个句子的向量。',
    hidden: '每个词元的隐藏状态',
    heads: '每个头的输出',
    most: (place, share) => `变化最大的是 ${place}：${share}。`,
    before: '在最近一次改动句子之前测得。',
  },
};
