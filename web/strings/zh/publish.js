/** @import {PublishStrings} from '../en/publish.js' */

/**
 * What is said of a picture that a reader takes along, in Chinese.
 *
 * @type {PublishStrings}
 */
export const publish = {
  title: '导出',
  picture: '当前画面（图片）',
  theme: '颜色',
  light: '浅色',
  dark: '深色',
  scale: 'PNG 的大小',
  letters: 'SVG 中的文字',
  outlines: '轮廓，在任何软件里都一样',
  asText: '文字，可以编辑和搜索',
  smallImages: (letters) => `图中字体没有以下字符，它们在轮廓之间以图像表示：${letters}`,
  otherFonts: (letters) => `文件内的字体没有以下字符，它们的样子取决于读者自己的字体：${letters}`,
  caption: '图注：文本、模型、层、头',
  data: '数值本身',
  extent: '权重',
  everything: '所有层和头',
  vectors: '包括查询、键和值（JSON、NPZ）',
  dataHelp: 'JSON 和 NPZ 可以在这里重新打开，也可以用在任何含有 <bert-scope> 的页面里。',
  measured: (measure) => `数字与图中相同：${measure}。`,
  bothSides:
    '文件包含两边的数值以及变化（后减前）。CSV 每行标明属于哪一边；JSON 有 before 和 difference 两个字段，NPZ 有名为 before_… 和 difference_… 的数组。',
  twoSides:
    '文件包含两边的数值。CSV 每行标明属于哪一边；JSON 有 before 字段，NPZ 有名为 before_… 的数组。',
  eachLayer: '图中显示这些层的平均；文件分别包含每一层。',
  oneSide: (name) => `另一边没有所选的头，因此只选这些头时，文件只包含 ${name}。`,
  noDifference: (reason) => `这个视图无法显示两者的差异，因此图中并排显示。${reason}`,
  fileOnly: (file) =>
    `标签、框架和链接只含用来比较的文件 ${file} 的名字，不含其内容。HTML 文件包含两边。`,
  page: '网页',
  saveHtml: 'HTML 文件',
  copyTag: '复制 HTML 标签',
  copyFrozen: '复制静态 HTML 标签',
  copyFrame: '复制 HTML 框架',
  copyLink: '复制链接',
  pageHelp:
    'HTML 文件不需要网络和引擎就能显示这个视图。标签把实时视图放进您自己的网页（允许运行脚本时），静态标签放进同一幅图和它的数，不需要模型。框架用于不允许脚本的网页（博客、课程）。',
  saved: '已保存。',
  copied: '已复制。',
  notCopied: '浏览器不允许。请保存为文件，或选中页面的地址。',
  keptHere:
    '这个模型来自您的文件，保存在本浏览器里：链接只在这里能打开它。在别处，页面会说明缺少该模型，并提供内置的小型教学模型。',
  close: '关闭',
  where: (layer, heads) => `第 ${layer} 层第 ${heads.join('、')} 头`,
  grid: (layers, heads) =>
    `${layers.length ? `第 ${layers.join('、')} 层` : '所有层'}，${heads.length ? `第 ${heads.join('、')} 头` : '所有头'}`,
  ofLayers: (layers, heads) =>
    `${layers === 'all' ? '所有层' : `第 ${layers.join('、')} 层`}，第 ${heads.join('、')} 头`,
  meanOfLayers: (layers, heads) =>
    `${layers === 'all' ? '所有层' : `第 ${layers.join('、')} 层`}的平均，第 ${heads.join('、')} 头`,
  meanOfHeads: '这些头的平均',
  direction: '查询 → 键',

  unknown: {
    quoted: (piece) => `“${piece}”`,
    standsFor: (token, pieces) => `这里的 ${token} 代表 ${pieces}：模型的词表里没有这些内容。`,
  },
};
