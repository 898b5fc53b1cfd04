/** @import {WorkbenchStrings} from '../en/workbench.js' */

/**
 * What the workbench says besides, in Chinese.
 *
 * @type {WorkbenchStrings}
 */
export const workbench = {
  title: '工作台',
  tabs: {
    change: '改动模型',
    predict: '预测词语',
    why: '哪些词？',
    heads: '比较注意力头',
    grammar: '语法',
  },
  noText: '请先输入一个句子。',
  saved:
    '图来自文件，文件里只有注意力，没有模型。这里能改动、预测和比较的，是本页模型对句子的处理。',
  translated:
    '这个模型读一段文字，写出另一段。它写出的内容可以在这里改动、预测和解释；比较注意力头只用于只读的模型。',
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
    noKeysLeft: '这一改动没有生效：否则第一个词元就没有可看的了。请让所有头重新看到其中一个。',
    contrast: '图中显示',
    contrasts: {after: '改动后', side: '并排', difference: '差值'},
  },
  effects: {
    title: '每个头的作用',
    hint: '依次关掉每个头，观察一个预测的概率如何变化。选择一个方格，就让那个头保持关闭。',
    targets: {
      word: '预测的位置',
      after: '之后最可能的词元',
      class: '类别',
      classOf: '最可能的类别，属于',
    },
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
    title: (token, mask) => `如果把“${token}”换成 ${mask}，模型会猜`,
    ofMask: (mask) => `${mask} 处的首选猜测`,
    after: (token) => `“${token}”之后的首选猜测`,
    word: '词',
    before: '未改动',
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
    surpriseNote: '单位是比特：逐个遮住每个词，取原词概率的 −log₂。1 比特为 50%，10 比特为 0.1%。',
    instead: (token, bits, expected) =>
      `“${token}”：${bits} 比特；预期是“${expected}”。点击可遮住它。`,
    classes: '分类器对这段文字的判断',
    logit: (logit) => `logit ${logit}`,
  },
  names: {
    title: '分类器在文本中标出了什么',
    hint: '每个词元都有自己的类别。点击一个词元，看看模型有多确定。',
    none: '这里没有标出任何内容。',
    choose: (token) => `“${token}”的类别`,
    classes: (token) => `${token}的类别`,
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
    topK: 'Top k',
    topP: 'Top p',
    repetitionPenalty: '重复惩罚',
    beams: '束数',
    lengthPenalty: '长度惩罚',
    further: '更多设置',
    furtherHint:
      'Top k：只从最可能的 k 个词元中抽取（0 表示全部）。Top p：只从合计达到此概率的最可能词元中抽取（1 表示全部）。重复惩罚：文本中已有词元的 logit 除以它，为负时则乘以它（1 表示不变）。束数（beam）：温度为 0 时，每一步保留这么多种续写，整体最好的获胜。长度惩罚：每种续写的得分除以其长度的这个次方。',
    run: '续写文本',
    stop: '停止',
    ended: '模型结束了文本。',
  },
  lensGrid: {
    title: '每一层之后，在每个词元处读出的内容',
    hint: '词预测头读取每一层的隐藏状态，尽管它只用最后一层训练过（logit lens）：每一列是该词元之后会出现的内容。带框的是一直保持到最后的猜测。',
    table: '各层各词元的猜测',
    run: '读取每一层',
    stop: '停止',
    cut: (tokens) => `只读取最后 ${tokens} 个词元。`,
  },
  translationBeams: {
    title: '用多个束来搜索',
    hint: '平时每次写下最可能的词元。搜索会同时保留几个开头，取整体上最可能的那一个。',
    run: '搜索',
  },
  beams: {
    title: '搜索找到的续写',
    hint: '缩进更深的接在它前面的之后。每个按钮写出一种找到的续写，最好的在前；颜色浅的被放弃了，因为到那里为止别的更可能。',
    hintOfText:
      '每一行接在它所在的那一行之后：有编号的是找到的结果，最好的在前；颜色浅的被放弃了，因为当时别的更可能。',
    givenUp: '已放弃：到此为止别的更可能',
    score: '其概率的对数除以其长度的某次方：越接近 0 越好',
    rank: (place) => `第 ${place}：`,
  },
  copying: {
    title: '会复制的头',
    hint: '至多 50 个随机词元出现两遍，没有任何含义提示该看哪里：能找到前一处的头学会了寻找重复。当前文本不参与。',
    run: '查找会复制的头',
    running: '正在查找……',
    colour: '显示在头的地图上',
    kinds: {
      induction: {
        name: '归纳',
        rule: '对“上一次同一词元之后的词元”的注意力份额：文本若重复，接下来就是它。',
      },
      duplicate: {name: '之前的同一词元', rule: '对前半部分中同一词元的注意力份额。'},
      previous: {name: '前一个词元', rule: '对紧挨着的前一个词元的注意力份额。'},
    },
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

  cautions: {
    entropy: '注意力集中的头不一定比分散的头更重要。',
    breadth: '短文本比长文本更容易显得分散。',
    distance: '看向特殊词元也算远，尽管这往往没有特别的含义。',
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
};
