import {numberList} from './number-list.js';

/** @import {Story, Strings} from './en.js' */

/** @param {number[]} numbers */
const listed = (numbers) => numberList(numbers, {comma: '、', to: ' 至 '});

/**
 * Every string a reader sees, in Simplified Chinese.
 *
 * @type {Strings}
 */
export const chinese = {
  page: {
    title: 'bertscope',
    tagline: 'BERT 的每个注意力头在看什么',
    description: '输入一个句子，看 BERT 的每个注意力头关注什么，全部在您的浏览器里计算。',
    explanation: '注意力头决定每个词元（一个词或词的一部分）看其他词元多少。',
    places: '页面',
    explore: '探索',
    lessons: '课程',
    docs: '文档',
    sentence: '句子',
    secondSentence: '第二个句子',
    addSentence: '+ 第二个句子',
    removeSentence: '移除',
    examples: '试试',
    models: '模型…',
    language: '语言',
    theme: '主题',
    themeAuto: '自动',
    themeLight: '浅色',
    themeDark: '深色',
    open: '打开注意力文件…',
    importTitle: '任意模型的注意力',
    importHelp:
      '含有 “attention” [层][头][查询][键] 和 “tokens” 的 JSON 或 NPZ 文件，格式与 bertviz 和 “bertscope attend” 相同。文件不会离开这台电脑，也可以直接拖到页面上。',
    importFile: '文件',
    importTokens: '词元（文件中没有时填写），以空格分隔',
    importB: '第二个句子的第一个词元（如果有），从 0 数起',
    importShow: '显示',
    importCancel: '取消',
    importedAgain: '打开文件…',
    importedEnd: '回到句子',
    notShown: '（现在未显示：图来自文件）',
    newVersion: '这个页面有新版本。',
    reload: '重新加载',
    openPage: '在 bertscope 中打开',
    noScript: 'bertscope 在您的浏览器里运行模型，因此需要 JavaScript。',
  },

  examples: {
    flies: '两种 flies',
    tired: '谁太累了？',
    banks: '两种 bank',
    right: '谁说对了？',
    mats: 'mat 和 rug',
  },

  text: {
    comma: '，',
    sentences: (said) => said.join(''),
  },

  status: {
    model: (name, size) => (size ? `${name}，${size}` : name),
    shape: (layers, heads) => `${layers} 层 × ${heads} 头`,
    unusedHeads: {
      tokens: '不含其词元分类头（NER）',
      choices: '不含其多项选择头',
      answers: '不含其问答头',
    },
    kernel: (kernel) => `使用 ${kernel} 内核`,
    time: (milliseconds) => `在本机用 ${milliseconds} 毫秒算出`,
  },

  places: {
    unknown: (name) => `这里没有名为“${name}”的页面。`,
    beyond: (fields, layers, heads) =>
      `地址要求的内容这个模型没有（${fields}）。它有 ${layers} 层，每层 ${heads} 个头，都从 0 数起。`,
    failed: '这个页面没有加载成功。请检查网络，然后重新打开。',
  },

  size: {
    megabytes: (megabytes) => `${megabytes} MB`,
    progress: (loaded, total) => `${loaded} / ${total} MB`,
  },

  scope: {
    region: (text) => (text ? `注意力：${text}` : '注意力'),
    loading: '正在加载模型',
    loadingSaved: '正在加载画面',
    empty: '输入一个句子，看它的词元关注什么。',
    retry: '重试',
    embedded: '使用内置模型',
    noSimd:
      '这个浏览器无法运行模型：它不支持 WebAssembly SIMD。Chrome 或 Edge 91、Firefox 89、Safari 16.4 及更新的版本都支持。',
    loadFailed: (detail) => `无法加载模型：${detail}`,
    runFailed: (detail) => `无法计算这段文本：${detail}`,
    noEngine: (detail) =>
      `模型无法在这个页面里运行，可能是页面不允许（Content-Security-Policy 需要 script-src 'wasm-unsafe-eval' 和 worker-src 'self'）：${detail}`,
    frozen: '这个页面只保存了图，没有可以运行的模型。',
    badSnapshot: (detail) => `无法显示保存的图。${detail}`,
    badAttribute: (name, expected, found) =>
      `属性 ${name}：应为 ${expected}，实为“${found}”。画图时不使用它。`,
    twoVersions: (first, second) =>
      `这个页面有两个版本的 bertscope：${first} 和 ${second}。版本 ${first} 先到，由它绘图。`,
    unknownView: (view) => `这里没有名为“${view}”的视图。可用的视图：head、model、neuron、matrix。`,
    truncated: (fit, cut, isPair) =>
      `这个模型只容得下前 ${fit} 个词元：截去了 ${cut} 个${isPair ? '，先截较长的句子' : ''}。`,
  },

  controls: {
    layer: '层',
    heads: '头',
    allHeads: '全部',
    head: (layer, head) =>
      `第 ${layer} 层，第 ${head} 头（地址中写作 ${layer}.${head}，都从 0 数起）`,
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
    place: (layer, head) => `${layer}，${head}`,
    layers: (count) => `${count} 层`,
    countOfHeads: (count) => `${count} 个头的平均`,
    allHeads: '所有头',
    asModel: '图中的数值是另一种量。',
    overlap: '各项份额有重叠：前一个词元也可能是 [CLS] 或相同的词。',
    strongest: '注意力最多：',
    change: '变化最大：',
    does: (habit) => `它${habit}。`,
    basis: '注意力权重在所有词元上的平均，文本两端的 [CLS] 和 [SEP] 除外。',

    remarks: {
      unknown: '[UNK] 代表这个模型词表里没有的词或符号：模型知道这里有东西，但不知道是什么。',
      mask: '[MASK] 遮住一个词，模型再根据其他词来猜它。',
      special:
        '特殊词元围在文本两端。许多头没有别的可看时就看它们，所以落在上面的大权重常常表示“没什么可看”。',
    },
  },

  views: {
    label: '视图',
    names: {head: '头', model: '模型', neuron: '神经元', matrix: '矩阵'},
    readings: {
      head: '左边看向右边；线越浓，看得越多。',
      model: '每幅小图是一个头，每一行是一层。',
      neuron: '这里一步一步展示一个头如何计算。',
      matrix: '行看向列；颜色越深，看得越多。',
    },
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
    measure: '数值的含义',
    normalised: '每一行都缩放为和等于 1。',
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
    strongest: (percent) =>
      percent === 100 ? '保留的权重：全部' : `保留的权重：每行最强的 ${percent} %`,
  },

  import: {
    noFile: '请先选择一个文件。',
    shown: (name, shape, tokens) =>
      `来自 ${name} 的注意力：${shape}，${tokens} 个词元。本页的链接不含这个文件。`,
    ran: (model, changes) => `它来自 ${model}${changes ? `，改动：${changes}` : ''}。`,
    numbered:
      '文件里没有词元的名称，所以用编号代替，与词有关的数值不显示。打开时填上词元即可看到。',
    isModel: (name) => `${name} 是模型，不是注意力：请在“模型…”中加载。`,
    isAttention: (name) => `${name} 是注意力，不是模型：请用“打开注意力文件…”显示。`,
    missing: (name) =>
      `这个链接是在显示 ${name} 时生成的，而链接不含文件。请再次打开它，或查看句子。`,
  },

  models: {
    title: '模型',
    help: '任意 BERT、DistilBERT、RoBERTa、CamemBERT、XLM-R、ELECTRA 或 ALBERT。边下载边量化，在此浏览器中运行。',
    name: 'Hugging Face Hub 上的名称（owner/name，可加 @revision），或量化文件的网址',
    hub: '其他 Hub，或需要登录的模型',
    endpoint: 'Hub 的网址',
    token: '访问令牌；页面关闭后即被忘记',
    load: '加载',
    loadNamed: (name) => `加载 ${name}`,
    files: '选择文件或 .zip…',
    folder: '选择文件夹…',
    loading: (name) => `正在加载 ${name}`,
    rate: (megabytes) => `· ${megabytes} MB/s ·`,
    stop: '停止',
    failed: (detail) => `模型没有加载，之前的模型继续可用：${detail}`,
    actionFailed: (detail) => `没有成功：${detail}`,
    noAnswer: (detail) => `没有连接。之前的模型继续可用。详情：${detail}`,
    notKept: (detail) => `模型可用，但没有保存：${detail}`,
    notLasting: '此浏览器不允许页面保存数据：页面关闭后模型即消失。',
    kept: '保存在此浏览器中',
    none: '还没有。您加载的模型会留在这里，无需网络即可打开。',
    open: '打开',
    download: '下载',
    remove: '移除',
    known: '常用模型',
    current: '正在使用：',
    inUse: '正在使用',
    embeddedRuns: '正在使用：本页自带的内置模型。',
    untried: '点击即从 huggingface.co 加载。它们尚未在本页测试过。',
    what: {
      english: '英语，小写',
      cased: '英语，区分大小写',
      languages: '104 种语言',
      distilled: '层数为 BERT 的一半',
      roberta: 'RoBERTa，英语',
      albert: '一层，使用十二次',
      sentences: 'MiniLM，用于比较句子',
      tiny: '2 层',
      mini: '4 层，宽度 256',
      small: '4 层，宽度 512',
      sentiment: '训练用于区分好评与差评',
      names: '训练用于找出名称',
    },
    close: '关闭',
  },

  compare: {
    keep: '保留以便比较',
    help: '保留这幅图。然后输入另一段文本，或打开另一个文件，两者一起看。',
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
        `${name} 有 ${count} 层（从 0 数起），没有第 ${listed(missing)} 层。`,
      heads: (name, count, missing) =>
        `${name} 每层有 ${count} 个头（从 0 数起），没有头 ${listed(missing)}。`,
      gaps: (name, layers, heads) =>
        `${name} 不含第 ${listed(layers)} 层、头 ${listed(heads)} 的全部。`,
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

  publish: {
    button: '导出',
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
    copyFrame: '复制 HTML 框架',
    copyLink: '复制链接',
    pageHelp:
      'HTML 文件不需要网络和引擎就能显示这个视图。标签把实时视图放进您自己的网页（允许运行脚本时），框架用于不允许脚本的网页（博客、课程）。',
    saved: '已保存。',
    copied: '已复制。',
    keptHere:
      '这个模型来自你的文件，保存在本浏览器里：链接只在这里能打开它。在别处，页面会说明缺少该模型，并提供内置模型。',
    failed: (detail) => `没有成功：${detail}`,
    close: '关闭',
    where: (layer, heads) => `第 ${layer} 层，头 ${heads.join('、')}`,
    grid: (layers, heads) =>
      `${layers.length ? `第 ${layers.join('、')} 层` : '所有层'}，${heads.length ? `头 ${heads.join('、')}` : '所有头'}`,
    ofLayers: (layers, heads) =>
      `${layers === 'all' ? '所有层' : `第 ${layers.join('、')} 层`}，头 ${heads.join('、')}`,
    meanOfLayers: (layers, heads) =>
      `${layers === 'all' ? '所有层' : `第 ${layers.join('、')} 层`}的平均，头 ${heads.join('、')}`,
    meanOfHeads: '这些头的平均',
    direction: '查询 → 键',
  },

  shortcuts: {
    title: '按键',
    button: '按键',
    note: '焦点在图上或图的周围时有效，在输入框里打字时无效。',
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
      strongest: '每行最强的 70 %，或全部',
      large: '大字体',
      escape: '放开词元',
      help: '这个列表',
    },
  },

  table: {
    title: '数值表格',
    hint: '行是查询，列是键。点列名按该列排序，点“查询”恢复文本顺序。',
    cut: (rows) => `这段文本太长，一张表放不下，所以只有 ${rows} 行，从固定的查询开始。`,
  },

  analysis: {
    measures: {
      weight: {
        name: '注意力权重',
        shows: '一个头怎样把注意力分给各个词元：每一行之和为 1。',
        caution: '权重大而可传递的内容少的词元，影响也小。',
      },
      norm: {
        name: '按范数加权',
        shows: '一个词元从另一个词元取来的向量有多长：权重乘以值经过输出投影后的长度。',
        caution: '长度不含方向：两个头带来的内容可能互相抵消。',
      },
      rollout: {
        name: '注意力展开',
        shows: '经过到此为止的各层，一个词元来自哪里，假设每层一半靠注意力混合，一半保持原样。',
        caution: '所有头同等看待，层在混合之外的计算不计在内。',
      },
      flow: {
        name: '注意力流',
        shows: '以注意力权重为管道的宽度，各输入经过到此为止的各层能有多少到达一个词元。',
        caution: '它说明能通过多少，不说明实际通过了什么：几层之后，多数输入看起来差不多。',
      },
    },
    statistics: {
      entropy: {
        name: '熵',
        shows: '注意力分散的程度，单位为奈特：每个词元只看一个词元时为 0。',
        caution: '注意力集中的头不一定比分散的头更重要。',
      },
      breadth: {
        name: '广度',
        shows: '熵占其最大可能值的比例：100 % 表示对所有词元一视同仁。',
        caution: '短文本比长文本更容易显得分散。',
      },
      distance: {
        name: '距离',
        shows: '平均看向多少个词元以外，不分方向。',
        caution: '看向 [CLS] 或 [SEP] 也算远，尽管这往往没有特别的含义。',
      },
      previous: {
        name: '前一个词元',
        shows: '注意力中落在紧邻的前一个词元上的份额。',
        caution: '它说明头看向哪里，不说明头从那里取走什么。',
      },
      next: {
        name: '后一个词元',
        shows: '注意力中落在紧邻的后一个词元上的份额。',
        caution: '它说明头看向哪里，不说明头从那里取走什么。',
      },
      self: {
        name: '自身',
        shows: '词元留给自己的注意力份额。',
        caution: '没有注意力，词元也保持自身：每一层都是在原有内容上相加。',
      },
      cls: {
        name: '[CLS]',
        shows: '注意力中停留在 [CLS] 上的份额。',
        caution: '头没有别的事可做时，常常停在那里。',
      },
      sep: {
        name: '[SEP]',
        shows: '注意力中停留在 [SEP] 上的份额。',
        caution: '头没有别的事可做时，常常停在那里。',
      },
      punctuation: {
        name: '标点',
        shows: '注意力中落在逗号、句号等标点上的份额。',
        caution: '没有标点的文本使它为 0。',
      },
      sameWord: {
        name: '相同的词',
        shows: '注意力中落在同一个词其他出现处的份额。',
        caution: '没有重复词的文本使它为 0。',
      },
    },
    map: {
      name: '头的地图',
      shows: '看相同词元的头彼此靠近。',
      caution: '地图是平面的，有些看起来靠近的头实际相距更远。放不下时，一条线指向头的位置。',
    },
    heads: {
      previous: {name: '看前一个词元', rule: '至少 40 % 的注意力落在紧邻的前一个词元上。'},
      next: {name: '看后一个词元', rule: '至少 40 % 的注意力落在紧邻的后一个词元上。'},
      self: {name: '看自身', rule: '至少 40 % 的注意力留在原处。'},
      cls: {name: '停在 [CLS] 上', rule: '至少 40 % 的注意力落在 [CLS] 上。'},
      sep: {name: '停在 [SEP] 上', rule: '至少 40 % 的注意力落在 [SEP] 上。'},
      punctuation: {name: '看标点', rule: '至少 40 % 的注意力落在标点上。'},
      sameWord: {
        name: '看相同的词',
        rule: '再次出现的词至少把 30 % 的注意力放在它的其他出现处。',
      },
      broad: {name: '到处看', rule: '它的熵至少是最大可能值的 85 %。'},
      content: {
        name: '没有简单的规律',
        rule: '没有一处得到足够的份额来命名：它可能按词的意思来看。',
      },
    },
  },

  workbench: {
    title: '工作台',
    tabs: {change: '改动模型', predict: '预测词语', heads: '比较注意力头'},
    notLoaded: '工作台没有加载成功。请检查网络，然后重新加载页面。',
    noText: '请先输入一个句子。',
    saved:
      '图来自文件，文件里只有注意力，没有模型。这里能改动、预测和比较的，是本页模型对句子的处理。',
    before: '原来的模型',
    after: '改动后的模型',
    embeddings: '嵌入',
    pieces: '图中显示完整的词；这里按模型的样子，把词的各个片段分开列出。',
    points: (change) => `${change} 个百分点`,
    actions: {
      headOff: '关掉这个头',
      headOn: '重新打开这个头',
      off: (layer, heads) => `第 ${layer} 层，头 ${heads.join('、')}：已关掉。`,
      offNote: '图中仍显示它会看哪里；变化出现在它之后的层里，那些层得不到它的输出。',
      undo: '撤销',
      seen: (token) => `让所有头重新看到“${token}”`,
      unseen: (token) => `让所有头看不到“${token}”`,
      undoAll: '撤销所有改动',
    },
    changes: {
      list: '改动',
      none: '还没有任何改动。关掉一些东西，看看图和预测会怎样变化。',
      undo: (name) => `撤销：${name}`,
      undoAll: '全部撤销',
      place: '当前所选',
      strength: (place, percent) => `${place}：强度 ${percent} %`,
      headOff: (place) => `${place}：关`,
      headScaled: (place, percent) => `${place}强度 ${percent} %`,
      layerOff: (layer) => `关掉${layer}`,
      unseen: (token) => `所有头看不到“${token}”`,
      pinFirst: '在图中点击一个词元，可以让所有头看不到它。',
      link: '所选头的一个权重',
      weight: (weight) => `权重 ${weight}`,
      renormalise: '该行其余权重分享剩余部分',
      setLink: '设定权重',
      edgeSet: (place, link, weight) => `${place}：${link} = ${weight}`,
      everywhere: '对每个头',
      causal: '词元看不到后面的词元（因果）',
      temperature: (place, temperature, effect) => `${place}温度 ${temperature}：${effect}`,
      temperatureEffects: {same: '保持原样', sharper: '更集中', flatter: '更平均'},
      temperatureSet: (temperature) => `温度 ${temperature}`,
      layerTemperatureSet: (layer, temperature) => `${layer}温度 ${temperature}`,
      noPlace: (change, layers, heads) =>
        `${change}：不起作用，因为这个模型有 ${layers} 层，每层 ${heads} 个头，从 0 数起。`,
      beyondText: (change, tokens) =>
        `${change}：不起作用，因为这段文字有 ${tokens} 个词元，从 0 数起。`,
      noKeysLeft: '没有隐藏任何词元：否则第一个词元就没有可看的了。请重新显示其中一个。',
      unread: (fields) => `地址要求的改动无法实现（${fields}），已略去。`,
      scoreScale: '分数除以',
      scoreScales: {
        head: '√d（d 为头的维度，保持原样）',
        hidden: '√H（H 为隐藏层维度）',
        none: '不除',
      },
      contrast: '图中显示',
      contrasts: {after: '改动后', side: '并排', difference: '差值'},
    },
    effects: {
      title: '每个头的作用',
      hint: '依次关掉每个头，观察一个预测的概率如何变化。选择一个方格，就让那个头保持关闭。',
      target: '预测的位置',
      targetClass: '类别',
      label: (name) => `类别：${name}`,
      noHead:
        '这个模型不做预测：它既没有掩码语言模型头，也没有分类器。它的头看哪里、平均做些什么、改动后隐藏状态还剩多少，照样可以看。',
      run: '逐个尝试所有头',
      cancel: '取消',
      summary: (token, probability, place, change) =>
        `所有头都在时，“${token}”的概率为 ${probability}。去掉${place}变化最大：${change}。`,
      masked: '此时这个词被遮住，模型只能根据其他词来猜它。',
      noEffect: (token, probability, least) =>
        `所有头都在时，“${token}”的概率为 ${probability}。去掉其中任何一个，变化都不到 ${least}。`,
      before: '这是最近一次改动之前测得的。要看在此改动之下的作用，请再试一遍所有头。',
      states: '每个隐藏状态还剩多少',
      statesHint: '每个词元的隐藏状态与原来模型的余弦相似度：1 表示没有变化。',
    },
    predictions: {
      title: '点击一个词把它遮住',
      hint: '模型会根据其他词来猜这个词。也可以直接在句子里输入掩码。',
      noHead:
        '这个模型没有掩码语言模型头，无法猜词，也无法算出每个词有多出人意料。其他功能照常可用；要遮住词语，请换一个模型。',
      mask: (token) => `遮住“${token}”`,
      fill: (token) => `填入“${token}”`,
      expected: (context) => `“${context}”中的预测`,
      lens: '每一层之后',
      lensHint:
        '掩码语言模型头读取每一层的隐藏状态，虽然它只针对最后一层训练过：这只是大致看看猜测如何形成。',
      surprise: '每个词有多出人意料？',
      surpriseNote:
        '单位是比特：逐个遮住每个词，取原词概率的 −log₂。1 比特为 50 %，10 比特为 0.1 %。',
      instead: (token, bits, expected) =>
        `“${token}”：${bits} 比特；预期是“${expected}”。点击可遮住它。`,
      classes: '分类器对这段文字的判断',
      logit: (logit) => `logit ${logit}`,
    },
    heads: {
      source: '取平均的文本',
      sources: {text: '当前文本', sentences: '200 个日常句子'},
      unlike: (layer, head) => `与 ${layer}.${head} 的差异`,
      unlikeHelp: '这个头与所选头的注意力之间的 Jensen-Shannon 距离：0 为相同，1 为毫无共同之处。',
      alike: (layer, head) => `与 ${layer}.${head} 最相似`,
      kept: (share) => `它显示了各头之间差别的 ${share}（按距离平方计）；其余的见表格最后一列。`,
      hint: '每个头平均做些什么。点击列名可排序，悬停可看说明。',
      table: '所有头的统计',
      filter: '显示',
      all: (count) => `全部 ${count} 个头`,
      named: (name, count) => `${name}（${count}）`,
      place: '头',
      name: '作用',
      show: (layer, head) => `显示第 ${layer} 层第 ${head} 个头`,
    },
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
    attends: '分出',
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
    place: (layer, head) => `第 ${layer} 层，第 ${head} 头`,
    hint: '指向一个头即可读出它最强的连线。单击或 Enter 打开，Escape 关闭。',
    touchHint: '轻触一个头，放大来看。',
    only: '只看这个词元的连线：',
    strongest: '最强',
    back: '← 所有头',
    follow: '在头视图中显示',
    table: '每个头最强的连线（表格）',
    columns: ['层', '头', '查询', '键', '权重'],
  },

  neuron: {
    missing: '这些运算需要模型的查询、键和值，而这份数据只有注意力。',
    place: (layer, head) => `第 ${layer} 层，第 ${head} 头`,
    first: (count) => `选中的 ${count} 个头中的第一个`,
    size: (size) => `向量各有 ${size} 个数`,
    columns: {
      query: 'q',
      key: 'k',
      product: 'q × k',
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
      score: (sum, score, weight) => `q·k ${sum}，q·k / √d ${score}，softmax ${weight}`,
    },
    legend: {positive: '正', negative: '负', faint: '越淡越接近 0'},
    changed: '这里的注意力被改动过：权重 α 不是这些得分的 softmax。α·v 和输出用的是现在的权重。',
    strongest: '权重最大的键',
    filtered: '筛选隐藏了部分键；softmax 和输出仍包括它们。',
    causal: '因果模型：看不到查询之后的键。',
    zoom: '放大一个查询和一个键',
    dimension: '维度',
    inDimension: (dimension) => `第 ${dimension} 维`,
    productSum: (q, k, product) => `q ${q} × k ${k} = ${product}`,
    weightedSum: (alpha, v, weighted) => `α ${alpha} × v ${v} = ${weighted}`,
    scoreSum: (size, sum, score, weight) =>
      `全部 ${size} 个乘积之和为 ${sum}；除以 √${size}：${score}；softmax：${weight}`,
    tables: {
      title: '全部数值（表格）',
      keys: '每个键',
      keyColumns: ['键', 'q·k', 'q·k / √d', 'softmax', 'α'],
      dimensions: '每个维度',
      dimensionColumns: ['维度', 'q', 'k', 'q × k', 'v', 'α · v', '输出'],
    },
    stepper: {
      label: '一步一步看运算',
      position: (step, count) => `第 ${step} 段，共 ${count} 段`,
      back: '往回',
      next: '往下看',
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
      ({key, size, root, sum, score}) => [
        `把 ${size} 个乘积相加：`,
        {token: key},
        ` 得 ${sum}。再除以 √${size} = ${root}，否则向量越长得分越大：${score}。`,
      ],
      ({query, key, score, total, percent}) => [
        'softmax 把得分变成总和为 1 的份额。',
        {token: query},
        ' 给得最多的是 ',
        {token: key},
        `：e 的 ${score} 次方，占所有键之和 ${total} 的 ${percent} %。`,
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
        ` 贡献了 ${share} %。`,
      ],
    ],
  },
};
