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
    unreadPair: '这个模型只读一段文本：第二句没有读入。',
    recovered: (detail) => `引擎不得不重新启动，模型也随之重新加载：${detail}。`,
    notLoaded: (name) => `“${name}”没有加载成功。请检查网络，然后重新加载页面。`,
    consent: {
      asks: (name, host) =>
        `这个链接要从 ${host} 加载“${name}”。目前还没有从那里取过任何内容。请在信任链接来源时再加载。`,
      allow: (host) => `从 ${host} 加载`,
      ended: (name) => `“${name}”已两次使引擎终止，因此没有再次打开。请在信任模型来源时再打开。`,
      openAgain: '再次打开',
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
      self: {name: '看自身', rule: '至少 40% 的注意力落在词元自身上。'},
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
    told: {
      place: (name, share) => `就这段文本的所有词元而言，这个头主要${name}（平均 ${share}）。`,
      sameWord: (share) =>
        `就这段文本里重复出现的词而言，这个头看它们的其他出现处（平均 ${share}）。`,
      broad: (share) =>
        `就这段文本的所有词元而言，这个头到处看：它的熵平均是最大可能值的 ${share}。`,
      content:
        '就这段文本的所有词元而言，这个头没有简单的规律：没有哪一处的份额大到可以用来命名它。它可能是按词的意思来看的。',
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
    failed: (detail) => `没有成功：${detail}`,
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
    before: '对照的句子',
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
      choices: '不含其多项选择头',
      answers: '不含其问答头',
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
    failed: '这个页面没有加载成功。请检查网络，然后重新加载页面。',
    unread: (fields) => `地址要求的改动无法实现（${fields}），已略去。`,
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

  readings: {
    head: '左边看向右边；线越浓，看得越多。',
    model: '每幅小图是一个头，每一行是一层。',
    neuron: '这里一步一步展示一个头如何计算。',
    matrix: '行看向列；颜色越深，看得越多。',
    average: '每个权重都是所选各头的平均值。',
    difference: '颜色显示变化：一种是增多，另一种是减少。',
  },
};
