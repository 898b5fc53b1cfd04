import {neuron} from './neuron.js';

/** @import {Strings} from '../en/saved.js' */

/**
 * What an element with a saved picture says, in Simplified Chinese.
 *
 * @type {Strings}
 */
export const saved = {
  text: {
    comma: '，',
    numbers: {comma: '、', to: ' 至 '},
    sentences: (said) => said.join(''),
  },

  scope: {
    region: (text) => (text ? `注意力：${text}` : '注意力'),
    loadingSaved: '正在加载画面',
    retry: '重试',
    embedded: '使用内置的小型教学模型',
    loadFailed: (detail) => `无法加载模型：${detail}`,
    frozen: '这个页面只保存了图，没有可以运行的模型。',
    badSnapshot: (detail) => `无法显示保存的图。${detail}`,
    badAttribute: (name, expected, found) =>
      `属性 ${name}：应为 ${expected}，实为“${found}”。画图时不使用它。`,
    badProperty: (name, expected, found) =>
      `JavaScript 属性 ${name}：应为 ${expected}，实为“${found}”。画图时不使用它。`,
    twoVersions: (first, second) =>
      `这个页面有两个版本的 bertscope：${first} 和 ${second}。版本 ${first} 先到，由它绘图。`,
  },

  controls: {
    layer: '层',
    heads: '头',
    allHeads: '全部',
    head: (layer, head) =>
      `第 ${layer} 层第 ${head} 头（地址中写作 ${layer}.${head}，都从 0 数起）`,
    headOff: (place) => `${place}：关`,
    absent: '这个文件不含它。',
    headHelp:
      '单击：开或关。按住 Shift：直到这一个为止全部选中。双击，或按它的数字键：只看这一个。',
    filter: '从 → 到',
    filters: {
      all: '全部',
      aa: 'A→A',
      bb: 'B→B',
      ab: 'A→B',
      ba: 'B→A',
      encoder: '编码器',
      decoder: '解码器',
      cross: '交叉',
    },
    filterHelp: {
      all: '每个词元到每个词元',
      aa: '第一个句子内部',
      bb: '第二个句子内部',
      ab: '从第一个句子到第二个句子',
      ba: '从第二个句子到第一个句子',
      encoder: '从输入到输入',
      decoder: '从输出到输出',
      cross: '从输出（左）到输入（右）',
    },
  },

  minimap: {
    title: '整个文本；框内是当前可见部分',
    in: '放大行',
    out: '缩小行',
  },

  map: {
    label: '所有的头：每层一行。方向键选择，按住 Shift 选择多个。',
    title: '所有的头',
    colour: '颜色',
    help: {
      several: '单击方格查看那个头。拖动，或按住 Shift 单击，可选择多个。',
      model: '单击打开一个头。拖动，或按住 Shift 单击，只显示一部分。',
    },
    showAll: '显示全部',
  },

  units: {
    nats: (nats) => `${nats} 奈特`,
    tokens: (tokens) => `${tokens} 个词元`,
  },

  inspector: {
    title: '图中所示',
    more: '数值',
    head: '这个头在这段文本里做什么',
    heads: '这些头在这段文本里平均做什么',
    of: (title, name) => `${title}：${name}`,
    place: (layer, head) => `${layer}${head}`,
    layers: (count) => `${count} 层`,
    countOfHeads: (count) => `${count} 个头的平均`,
    allHeads: '所有头',
    unlike: {
      measure: '图中显示的是另一种度量。',
      special: '图中隐藏了特殊词元。',
      strongest: '图中隐藏了较弱的连线。',
    },
    overlap: '各项份额有重叠：前一个词元也可能是特殊词元或相同的词。',
    strongest: '注意力最多：',
    change: '变化最大：',
    basis: '注意力权重在所有词元上的平均，文本两端的特殊词元除外。',

    remarks: {
      unknown: '[UNK] 代表这个模型词表里没有的词或符号。',
      mask: '[MASK] 遮住一个词，模型再根据其他词来猜它。',
      special: '特殊词元围在文本两端。落在上面的大权重常常表示“这里没什么可看”。',
    },
  },

  views: {
    label: '视图',
    names: {head: '头', model: '模型', neuron: '神经元', matrix: '矩阵'},
    help: {
      head: '从每个词元到其他词元的连线',
      model: '同时看所有层的所有头',
      neuron: '一个头对一个词元的全部运算',
      matrix: '用颜色表格显示权重',
    },
  },

  display: {
    title: '阅读辅助',
    words: '合并为整词',
    wordsRule: '一个词得到的注意力是各片段所得之和，给出的注意力是各片段所给的平均。',
    meanLayers: '所有层的平均',
    fullScale: '颜色从 0 到 1',
    neuron: '神经元视图按模型原样逐个片段显示数值。',
    large: '大字体，适合投影',
    special: '特殊词元',
    specialChoices: {
      show: '显示',
      hide: '隐藏，权重不变',
      renormalise: '隐藏，各行重新归一为 1',
    },
    strongest: (percent) => (percent === 100 ? '显示全部权重' : `显示每行最强的 ${percent}%`),
  },

  compare: {
    keep: '保留以便比较',
    help: '保留这幅图，与下一幅一起看。',
    title: '比较',
    kept: '已保留：',
    modes: {side: '并排', difference: '差异'},
    end: '结束',
    minus: '减去',
    more: '更多',
    less: '更少',
    link: '本页的链接只含这个文件的名字，不含其内容。',
    loading: '正在准备用来比较的图。',
    missing: (name) =>
      `之前与 ${name} 的注意力作了比较，而链接不含文件。要比较，请再次打开那个文件。`,
    failed: (detail) => `无法显示用来比较的图：${detail}`,
    noPieces: (before, now) =>
      `神经元视图逐个词元片段相减，而两者切分出的片段数不同：已保留的有 ${before} 个，现在的有 ${now} 个。`,
    noneShared: '两段文本长度不同，也没有共同的词，因此无法相减。',
    uneven: (what, before, now) =>
      `求差异时两边的${what}必须相等：已保留的有 ${before}，现在的有 ${now}。`,
    counted: {
      queries: '发出注意的词元数',
      keys: '被注意的词元数',
    },
    lack: {
      layers: (name, count, missing) =>
        `${name} 有 ${count} 层（从 0 数起），没有第 ${missing.text} 层。`,
      heads: (name, count, missing) =>
        `${name} 每层有 ${count} 个头（从 0 数起），没有第 ${missing.text} 头。`,
      gaps: (name, layers, heads) =>
        `${name} 不含第 ${layers.text} 层第 ${heads.text} 头的全部数据。`,
      difference: '没有可以相减的。',
      common: ({layers, heads, has}) =>
        has ? '只减两者共有的头。' : `只减两者共有的：${layers} 层，每层 ${heads} 个头。`,
      elsewhere: (place, name) => `${place}：${name} 没有`,
    },
    inspected: '方格图和数值属于',
    shared: {
      rule: '两段文本长度不同，因此按顺序比较两者共有的词。',
      before: '已保留的文本',
      after: '现在的文本',
    },
    aligned: {
      rule: '两个模型对这段文本的切分不同，因此按词比较：一个词的各个片段作为键求和，作为查询求平均。',
      only: (/** @type {string} */ model, /** @type {string[]} */ words) =>
        `未显示（仅 ${model} 有）：${words.join('、')}。`,
    },
  },

  shortcuts: {
    title: '快捷键',
    note: '在输入框里打字时无效。',
    close: '关闭',
    labels: {
      head: '头视图',
      model: '模型视图',
      neuron: '神经元视图',
      matrix: '矩阵视图',
      token: '上一个和下一个词元',
      moveHead: '上一个和下一个头',
      moveLayer: '上一层和下一层',
      digit: '只看这个头；十个以上时输入两位数字',
      allHeads: '所有头',
      words: '片段或整词',
      special: '特殊词元：显示、隐藏、重新归一',
      strongest: '每行最强的 70%，或全部',
      large: '大字体',
      escape: '放开词元',
      help: '这个列表',
    },
  },

  table: {
    title: '数值表格',
    hint: '行是查询，列是键。点列名排序，点“查询”恢复文本顺序。',
    cut: (rows) => `这段文本太长，一张表放不下，所以只有 ${rows} 行，从固定的查询开始。`,
  },

  statistics: {
    entropy: {name: '熵', shows: '注意力分散的程度，单位为奈特：每个词元只看一个词元时为 0。'},
    breadth: {name: '广度', shows: '熵占其最大可能值的比例：100% 表示对所有词元一视同仁。'},
    distance: {name: '距离', shows: '平均看向多少个词元以外，不分方向。'},
    previous: {name: '前一个词元', shows: '注意力中落在紧邻的前一个词元上的份额。'},
    next: {name: '后一个词元', shows: '注意力中落在紧邻的后一个词元上的份额。'},
    self: {name: '自身', shows: '词元留给自己的注意力份额。'},
    cls: {name: '[CLS]', shows: '注意力中停留在 [CLS] 上的份额。'},
    sep: {name: '[SEP]', shows: '注意力中停留在 [SEP] 上的份额。'},
    punctuation: {name: '标点', shows: '注意力中落在逗号、句号等标点上的份额。'},
    sameWord: {name: '相同的词', shows: '注意力中落在同一个词其他出现处的份额。'},
  },

  matrix: {
    label: '热图：每个查询一行，每个键一列。方向键在格子间移动，Enter 固定一行。',
    direction: '查询（行）→ 键（列）',
    hint: '指向一个格子即可读数。单击固定它所在的行，Escape 放开。',
    touchHint: '轻触格子读数，双指放大。',
    sum: '合计',
    zoomIn: '格子放大',
    zoomOut: '格子缩小',
    fit: '适应',
    of: (heads) => (heads === 1 ? '' : `${heads} 个头的平均`),
  },

  view: {
    query: '查询',
    direction: '查询 → 键',
    fullAt: (limit) => `±${limit} 为最深颜色`,
    key: '键',
    queries: '查询：发出注意力的词元',
    keys: '键：受到注意的词元',
    hint: '指向一个词元，或用方向键移过去。单击或 Enter 固定，Escape 放开。',
    touchHint: '轻触词元看它的权重，再触一次放开。',
    attends: '的注意力',
    share: (percent) => percent,
    to: '给',
    receives: '得到',
    of: '来自',
    itself: '自身',
    mean: (heads) => (heads === 1 ? '权重' : `${heads} 个头的平均`),
    head: (head) => `第 ${head} 头`,
    meanLabel: '平均',
  },

  model: {
    grid: '所有头的注意力，按层和头排列',
    axes: '行：层 · 列：头 · 每格之内：查询（左）→ 键（右）',
    head: (head) => `第 ${head} 头`,
    layer: (layer) => `第 ${layer} 层`,
    place: (layer, head) => `第 ${layer} 层第 ${head} 头`,
    hint: '指向一个头即可读出它最强的连线。单击或 Enter 打开，Escape 关闭。',
    touchHint: '轻触一个头，放大来看。',
    only: '只看这个词元的连线：',
    strongest: '最强',
    back: '← 所有头',
    follow: '在头视图中显示',
    table: '每个头最强的连线（表格）',
    columns: ['层', '头', '查询', '键', '权重'],
  },

  neuron,
};
