/** @import {Story, Words} from '../en/neuron.js' */

/**
 * What the neuron view says, in Chinese.
 *
 * @type {Words}
 */
export const neuron = {
  missing: '这些运算需要模型的查询、键和值，而这份数据只有注意力。',
  place: (layer, head) => `第 ${layer} 层第 ${head} 头`,
  first: (count) => `选中的 ${count} 个头中的第一个`,
  size: (size) => `向量各有 ${size} 个数`,
  columns: {
    query: 'q',
    key: 'k',
    product: 'q × k',
    position: '位置 b',
    score: 'q·k / √d',
    softmax: 'softmax',
    value: 'v',
    weighted: 'α · v',
  },
  links: '→',
  queryTokens: '查询',
  keyTokens: '键',
  sum: '求和',
  output: '输出',
  change: {
    note: '每个数都是现在的值减去之前的值。',
    product: (q, k, product) => `现在减之前：q ${q}，k ${k}，q × k ${product}`,
    weighted: (alpha, v, weighted) => `α ${alpha}，v ${v}，α · v ${weighted}`,
    score: ({sum, position, formula, score, weight}) =>
      `q·k ${sum}${position && `，b ${position}`}，${formula} ${score}，softmax ${weight}`,
  },
  legend: {positive: '正', negative: '负', faint: '越不明显越接近 0'},
  changed: '这里的注意力被改动过：α·v 和输出所用的权重 α 不是这些得分的 softmax。',
  strongest: '权重最大的键',
  filtered: '筛选隐藏了部分键；softmax 和输出仍包括它们。',
  causal: '因果模型：看不到查询之后的键。',
  position:
    'b 是按距离加上的数：一个学到的数，在 DeBERTa 中则是查询和键与距离向量的乘积，同样要除。',
  zoom: '放大一个查询和一个键',
  dimension: '维度',
  inDimension: (dimension) => `第 ${dimension} 维`,
  productSum: (q, k, product) => `q ${q} × k ${k} = ${product}`,
  weightedSum: (alpha, v, weighted) => `α ${alpha} × v ${v} = ${weighted}`,
  scoreSum: ({size, sum, divisor, position, score, weight}) =>
    `全部 ${size} 个乘积之和为 ${sum}；${divisor ? `除以 ${divisor}` : '不作除法'}${position && `，再按距离加 ${position}`}：${score}；softmax：${weight}`,
  tables: {
    title: '全部数值（表格）',
    keys: '每个键',
    keyColumns: ['键', 'q·k', '位置 b', 'q·k / √d', 'softmax', 'α'],
    dimensions: '每个维度',
    dimensionColumns: ['维度', 'q', 'k', 'q × k', 'v', 'α · v', '输出'],
  },
  stepper: {
    label: '一步一步看运算',
    position: (step, count) => `第 ${step} 步，共 ${count} 步`,
    back: '上一步',
    next: '下一步',
    again: '从头看',
  },
  /** @type {((story: Story) => (string | {token: string})[])[]} */
  steps: [
    ({query, size}) => [
      '把 ',
      {token: query},
      ` 的查询与每个键比较。查询（q）用 ${size} 个数表示一个词元在找什么，键（k）表示一个词元能提供什么。`,
    ],
    ({key, dimension, q, k, product}) => [
      '查询和键逐维相乘。对 ',
      {token: key},
      ` 来说，最大的乘积在第 ${dimension} 维：${q} × ${k} = ${product}。`,
    ],
    ({key, size, divisor, root, sum, position, score}) => [
      `把 ${size} 个乘积相加：`,
      {token: key},
      ` 得 ${sum}。`,
      divisor ? `再除以 ${divisor} = ${root}，免得向量一长得分就虚高` : '这个模型不再作除法',
      position && `。与查询的距离再加 ${position}`,
      `：${score}。`,
    ],
    ({query, key, score, power, total, percent}) => [
      'softmax 把得分变成总和为 1 的份额。',
      {token: query},
      ' 给得最多的是 ',
      {token: key},
      `：e^${score} ≈ ${power}，所有键之和为 ${total}，占 ${percent}%。`,
    ],
    ({key, weight, second, secondWeight}) => [
      '值（v）是一个词元传递出去的内容，各自乘以它的份额 α：',
      {token: key},
      ` 乘以 ${weight}`,
      ...(second ? ['，', {token: second}, ` 乘以 ${secondWeight}`] : []),
      '。',
    ],
    ({query, key, size, share}) => [
      `把加权后的值相加。这 ${size} 个和就是这个头为 `,
      {token: query},
      ' 找到的内容；沿着这个输出的方向衡量，',
      {token: key},
      ` 贡献了 ${share}%。`,
    ],
  ],
};
