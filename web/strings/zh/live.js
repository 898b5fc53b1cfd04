/** @import {LiveStrings, PageStrings} from '../en/live.js' */

/**
 * What a live element says besides, in Simplified Chinese.
 *
 * @type {LiveStrings}
 */
export const live = {
  running: {
    loading: '正在加载模型',
    empty: '输入一个句子，看它的词元关注什么。',
    noSimd:
      '这个浏览器无法运行模型：它不支持 WebAssembly SIMD。Chrome 或 Edge 91、Firefox 89、Safari 16.4 及更新的版本都支持。',
    noEngine: (detail) =>
      `模型无法在这个页面里运行，可能是页面不允许（Content-Security-Policy 需要 script-src 'wasm-unsafe-eval' 和 worker-src 'self'）：${detail}`,
    runFailed: (detail) => `无法计算这段文本：${detail}`,
    changeFailed: (detail) => `无法这样改动模型：${detail}`,
    truncated: (fit, cut, isPair) =>
      `这个模型只容得下前 ${fit} 个词元：截去了 ${cut} 个${isPair ? '，先截较长的句子' : ''}。`,
    recovered: (detail) => `引擎不得不重新启动，模型也随之重新加载：${detail}。`,
    notLoaded: (name) => `“${name}”没有加载成功。请检查网络，然后重新加载页面。`,
    consent: {
      asks: (name, host) =>
        `这个链接要从 ${host} 加载“${name}”。目前还没有从那里取过任何内容。请在信任链接来源时再加载。`,
      allow: (host) => `从 ${host} 加载`,
    },
  },

  size: {
    megabytes: (megabytes) => `${megabytes} MB`,
    progress: (loaded, total) => `${loaded} / ${total} MB`,
  },

  analysis: {
    measure: '度量',
    normalised: '每一行都缩放为和等于 1。',
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
    heads: {
      previous: {name: '看前一个词元', rule: '至少 40% 的注意力落在紧邻的前一个词元上。'},
      next: {name: '看后一个词元', rule: '至少 40% 的注意力落在紧邻的后一个词元上。'},
      self: {name: '看自身', rule: '至少 40% 的注意力留在原处。'},
      cls: {name: '看 [CLS]', rule: '至少 40% 的注意力落在 [CLS] 上。'},
      sep: {name: '看 [SEP]', rule: '至少 40% 的注意力落在 [SEP] 上。'},
      punctuation: {name: '看标点', rule: '至少 40% 的注意力落在标点上。'},
      sameWord: {
        name: '看相同的词',
        rule: '再次出现的词至少把 30% 的注意力放在它的其他出现处。',
      },
      broad: {name: '到处看', rule: '它的熵至少是最大可能值的 85%。'},
      content: {
        name: '没有简单的规律',
        rule: '没有哪一处的份额大到可以用来命名它：它可能是按词的意思来看的。',
      },
    },
  },

  changes: {
    before: '原来的模型',
    after: '改动后的模型',
    headScaled: (place, percent) => `${place}强度 ${percent}%`,
    layerOff: (layer) => `关掉${layer}`,
    unseen: (token) => `所有头看不到“${token}”`,
    edgeSet: (place, link, weight) => `${place}：${link} = ${weight}`,
    ofPart: (part, place) => `${part}，${place}`,
    causal: '词元看不到后面的词元（因果）',
    temperatureSet: (temperature) => `温度 ${temperature}`,
    layerTemperatureSet: (layer, temperature) => `${layer}温度 ${temperature}`,
    scoreScale: '分数除以',
    scoreScales: {
      head: '√d（d 为头的维度，保持原样）',
      hidden: '√H（H 为隐藏层维度）',
      none: '不除',
    },
  },

  actions: {
    headOff: '关掉这个头',
    headOn: '重新打开这个头',
    off: (layer, heads) => `第 ${layer} 层第 ${heads.join('、')} 头：已关掉。`,
    offNote: '图中仍显示它会看哪里；变化出现在它之后的层里，那些层得不到它的输出。',
    undo: '撤销',
    seen: (token) => `让所有头重新看到“${token}”`,
    unseen: (token) => `让所有头看不到“${token}”`,
    hidden: (tokens) => `所有头看不到：${tokens.map((token) => `“${token}”`).join('、')}。`,
    undoAll: '撤销所有改动',
    kept: '这幅图已保留。现在改动一点：文本、模型或一个头。',
  },

  notebook: {
    sentence: '句子',
    secondSentence: '第二个句子',
    notTold: (detail) => `Python 没有得到这幅图的数值：${detail}`,
    noPicture: '笔记本里应有一幅图，却没有找到：请在单元格里显示这个控件',
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
    notCopied: '浏览器不允许。请保存为文件，或选中页面的地址。',
    keptHere:
      '这个模型来自您的文件，保存在本浏览器里：链接只在这里能打开它。在别处，页面会说明缺少该模型，并提供内置的小型教学模型。',
    failed: (detail) => `没有成功：${detail}`,
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
  },
};

/**
 * What the page, its workbench and its lessons say besides, in Simplified Chinese.
 *
 * @type {PageStrings}
 */
export const page = {
  page: {
    title: 'bertscope',
    tagline: 'BERT 的每个注意力头在看什么',
    description: '输入一个句子，看 BERT 的每个注意力头关注什么，全部在您的浏览器里计算。',
    explanation: '注意力头决定每个词元（一个词或词的一部分）看其他词元多少。',
    skip: '跳到图',
    places: '页面',
    explore: '探索',
    lessons: '课程',
    docs: '文档',
    sentence: '句子',
    secondSentence: '第二个句子',
    addSentence: '+ 第二个句子',
    compareText: '与另一段文字比较',
    removeSentence: '移除',
    examples: '试试',
    models: '模型…',
    more: '第二个句子、例句、文件、模型',
    preferences: '语言、主题、研究者视图',
    researcher: '研究者视图',
    language: '语言',
    theme: '主题',
    themeAuto: '自动',
    themeLight: '浅色',
    themeDark: '深色',
    open: '打开注意力文件…',
    importTitle: '任意模型的注意力',
    importHelp:
      '含有“attention” [层][头][查询][键] 和“tokens”的 JSON 或 NPZ 文件，格式与 bertviz 和“bertscope attend”相同。文件不会离开这台电脑，也可以直接拖到页面上。',
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
    children: '谁玩累了？',
    grandmother: '谁烤蛋糕？',
    mats: 'mat 和 rug',
  },

  unreadable: {
    says: (unknown, all) =>
      `这个模型读不懂这段文本：${all} 个词元中有 ${unknown} 个是 [UNK]，代表词表里没有的任何内容。`,
    other: '选一个能读的模型…',
  },

  present: {
    start: '演示',
    label: '演示',
    end: '结束',
    back: '后退',
    onward: '前进',
    position: (at, count) => `第 ${at} 个，共 ${count} 个`,
  },

  status: {
    teachingModel: (name) => `${name}，小型教学模型`,
    model: (name, size) => (size ? `${name}，${size}` : name),
    shape: (layers, heads) => `${layers} 层 × ${heads} 头`,
    unusedHeads: {
      tokens: '不含其词元分类头（NER）',
      choices: '不含其多项选择头',
      answers: '不含其问答头',
      texts: '不含其分类器',
    },
    localLayers: (every, tokens) =>
      `第 0、${every}、${2 * every}……层看全文，其余层两侧各看 ${tokens} 个词元`,
    sentenceVectors: '用于比较句子，为每个句子给出一个向量；不猜词',
    kernel: (kernel) => `使用 ${kernel} 内核`,
    time: (milliseconds) => `在本机用 ${milliseconds} 毫秒算出`,
  },

  places: {
    unknown: (name) => `这里没有名为“${name}”的页面。`,
    beyond: (fields, layers, heads) =>
      `地址要求的内容这个模型没有（${fields}）。它有 ${layers} 层，每层 ${heads} 个头，都从 0 数起。`,
    full: (characters) => `本页只取文本的前 ${characters} 个字符，后面的已略去。`,
    failed: '这个页面没有加载成功。请检查网络，然后重新打开。',
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
    help: '任意 BERT、DistilBERT、RoBERTa、CamemBERT、XLM-R、ELECTRA、ALBERT、ModernBERT、GPT-2、Llama、Qwen2、Marian 或 BART。边下载边量化，在此浏览器中运行。',
    name: 'Hugging Face Hub 上的名称（owner/name，可加 @revision），或网址',
    searched: (host) => `键入时由 ${host} 给出名称建议：只有此栏中键入的内容会发送到那里。`,
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
    asks: (name, megabytes) => `${name} 需要下载 ${megabytes} MB。`,
    agree: '下载',
    notNow: '暂不',
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
    known: '值得打开的模型',
    current: '正在使用：',
    inUse: '正在使用',
    embeddedRuns: '正在使用：本页内置的小型教学模型。',
    dates: {
      name: '日期：编码器-解码器模型',
      what: '本页还自带一个模型，它把用文字写的日期改写成数字：',
    },
    untried: '点击一次即从 huggingface.co 下载并保存。它们尚未在本页测试过。',
    licence: (licence) => `许可证：${licence}`,
    what: {
      english:
        '大多数注意力论文使用的模型。第 7 层第 9 头中，宾语看向它的动词；第 4 层第 3 头中，代词看向它所指的词（Clark 等，2019）。',
      cased: '区分大小写。比较“may”和“May”，或“turkey”和“Turkey”。',
      distilled: '层数为 BERT 的一半，训练目标是像 BERT 一样回答。看看留下了哪些种类的头。',
      sentences: '为每个句子给出一个向量，用于比较句子。看看它的最后一层从哪些词收集信息。',
      sentiment: '区分好评与差评。在工作台中关闭一些头，看看它的判断何时改变。',
      languages: '一个词表，104 种语言。把一个句子和它的译文作为两个句子。',
      decoder:
        '它预测下一个词元，因此没有词元会看向后面的词元。在工作台中关闭一些头，再让它续写句子。',
      local: '每三层中有一层能看到全文，其余层两侧各看 64 个词元。在长文本上比较它们的头。',
    },
    close: '关闭',
  },

  readings: {
    head: '左边看向右边；线越浓，看得越多。',
    model: '每幅小图是一个头，每一行是一层。',
    neuron: '这里一步一步展示一个头如何计算。',
    matrix: '行看向列；颜色越深，看得越多。',
  },

  cautions: {
    entropy: '注意力集中的头不一定比分散的头更重要。',
    breadth: '短文本比长文本更容易显得分散。',
    distance: '看向 [CLS] 或 [SEP] 也算远，尽管这往往没有特别的含义。',
    previous: '它说明头看向哪里，不说明头从那里取走什么。',
    next: '它说明头看向哪里，不说明头从那里取走什么。',
    self: '没有注意力，词元也保持自身：每一层都是在原有内容上相加。',
    cls: '头找不到别的可看时，常常看那里。',
    sep: '头找不到别的可看时，常常看那里。',
    punctuation: '没有标点的文本使它为 0。',
    sameWord: '没有重复词的文本使它为 0。',
  },

  headMap: {
    name: '头的地图',
    shows: '看相同词元的头彼此靠近。',
    caution: '地图是平面的，有些看起来靠近的头实际相距更远。放不下时，一条线指向头的位置。',
  },

  workbench: {
    title: '工作台',
    tabs: {
      change: '改动模型',
      predict: '预测词语',
      why: '为什么这样答？',
      heads: '比较注意力头',
    },
    noText: '请先输入一个句子。',
    saved:
      '图来自文件，文件里只有注意力，没有模型。这里能改动、预测和比较的，是本页模型对句子的处理。',
    translated:
      '这个模型读一段文字，写出另一段。它写出的内容可以在这里改动和预测；解释答案和比较注意力头只用于只读的模型。',
    translation: {
      title: '模型写出的内容',
      before: '改动前',
      now: '改动后',
      only: '现在',
      same: '这些改动没有影响任何词元。',
      changed: (count) => `有 ${count} 个词元不同。`,
    },
    embeddings: '嵌入',
    pieces: '图中显示完整的词；这里按模型的样子，把词的各个片段分开列出。',
    points: (change) => `${change} 个百分点`,
    changes: {
      list: '改动',
      none: '还没有任何改动。关掉一些东西，看看图和预测会怎样变化。',
      undo: (name) => `撤销：${name}`,
      undoAll: '全部撤销',
      more: (count) => `还有 ${count.toLocaleString('zh')} 项`,
      place: '当前所选',
      strength: (place, percent) => `${place}：强度 ${percent}%`,
      pinFirst: '在图中点击一个词元，可以让所有头看不到它。',
      link: '所选头的一个权重',
      weight: (weight) => `权重 ${weight}`,
      renormalise: '该行其余权重分享剩余部分',
      setLink: '设定权重',
      everywhere: '对每个头',
      temperature: (place, temperature, effect) => `${place}温度 ${temperature}：${effect}`,
      temperatureEffects: {same: '保持原样', sharper: '更集中', flatter: '更平均'},
      noPlace: (change, layers, heads) =>
        `${change}：不起作用，因为这个模型有 ${layers} 层，每层 ${heads} 个头，从 0 数起。`,
      noDecoder: (change) => `${change}：不起作用，因为这个模型没有解码器。`,
      laterToken: (change) => `${change}：不起作用，因为解码器看不到后面的词元。`,
      beyondText: (change, tokens) =>
        `${change}：不起作用，因为这段文字有 ${tokens} 个词元，从 0 数起。`,
      noKeysLeft: '没有隐藏任何词元：否则第一个词元就没有可看的了。请重新显示其中一个。',
      unread: (fields) => `地址要求的改动无法实现（${fields}），已略去。`,
      contrast: '图中显示',
      contrasts: {after: '改动后', side: '并排', difference: '差值'},
    },
    effects: {
      title: '每个头的作用',
      hint: '依次关掉每个头，观察一个预测的概率如何变化。选择一个方格，就让那个头保持关闭。',
      target: '预测的位置',
      targetAfter: '之后最可能的词元',
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
    special: {
      title: (token) => `“${token}”影响猜测吗？`,
      masked: '遮住的词',
      seen: (token) => `有 ${token}`,
      hidden: (token) => `没有 ${token}`,
      found: (same, all) => `让所有头看不到它时，${all} 个首选猜测中有 ${same} 个仍是同一个词。`,
      wait: '正在逐个遮住每个词……',
      lesson: '课程：这重要吗？',
    },
    guess: {
      title: (token) => `如果遮住“${token}”，模型会猜`,
      ofMask: (mask) => `${mask} 处的首选猜测`,
      after: (token) => `“${token}”之后的首选猜测`,
      word: '词',
      before: '原样',
      now: '改动后',
      hint: '关掉一个头，看它对猜测有什么影响。',
      pin: '点击图中的一个词，看模型在它的位置上猜什么。',
    },
    predictions: {
      title: '点击一个词把它遮住',
      hint: '模型会根据其他词来猜这个词。也可以直接在句子里输入掩码。',
      noHead:
        '这个模型没有掩码语言模型头，无法猜词，也无法算出每个词有多出人意料。其他功能照常可用；要遮住词语，请换一个模型。',
      sentenceVectors:
        '这个模型的训练目标是为每个句子给出一个向量，意思相近的句子向量也相近。它没有掩码语言模型头，所以不会为 [MASK] 猜词。可以看看它的头看向哪里，以及改动之后隐藏状态还剩多少。',
      mask: (token) => `遮住“${token}”`,
      fill: (token) => `填入“${token}”`,
      expected: (mask, context) => `“${context}”中 ${mask} 处的首选猜测`,
      lens: '每一层之后',
      lensHint:
        '掩码语言模型头读取每一层的隐藏状态，虽然它只针对最后一层训练过：这只是大致看看猜测如何形成。',
      surprise: '每个词有多出人意料？',
      surpriseNote:
        '单位是比特：逐个遮住每个词，取原词概率的 −log₂。1 比特为 50%，10 比特为 0.1%。',
      instead: (token, bits, expected) =>
        `“${token}”：${bits} 比特；预期是“${expected}”。点击可遮住它。`,
      classes: '分类器对这段文字的判断',
      logit: (logit) => `logit ${logit}`,
    },
    nextToken: {
      title: '点击一个词元，看模型预期它后面是什么',
      choose: (token) => `“${token}”后面是什么？`,
      after: (context) => `“${context}”之后的首选猜测`,
      surpriseNote:
        '单位是比特：取模型根据前面的词元给这个词元的概率的 −log₂。1 比特为 50%，10 比特为 0.1%。第一个词元前面没有内容。',
      instead: (token, bits, expected) => `“${token}”：${bits} 比特；预期是“${expected}”`,
      continueTitle: '让模型续写',
      continueHint: '温度为 0 时每次取最可能的词元；高于 0 时按概率抽取，种子不同结果也不同。',
      tokens: '词元数',
      temperature: '温度',
      seed: '种子',
      run: '续写文本',
      stop: '停止',
      ended: '模型结束了文本。',
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
      show: (layer, head) => `显示第 ${layer} 层第 ${head} 头`,
    },
  },
};
