/** @import {PanelStrings} from '../en/panels.js' */

/**
 * What the panels beside the picture say, in Simplified Chinese.
 *
 * @type {PanelStrings}
 */
export const panels = {
  arithmetic: '逐步看计算过程',
  matters: '它影响答案吗？',
  story: '这些数值是怎么来的',
  pin: '点击左边的一个词，看这个头怎样得出它的数值。',
  noHabit: '这幅图里的头没有名称。这个头的平均行为见“数值”。',
  noHabitAcross: '对于两段文本之间的注意力，不给头命名。',
  oneHead: '在图谱上选一个头，看它做什么。',
  colour: '图谱的颜色',
  ends: {
    words: '词从这里进入',
    toWords: '转到这些词',
    guess: '得出猜测',
    next: '得出下一个词',
    writes: '写出的内容',
    toGuess: '模型预计的词',
  },
  guess: {
    hidden: (token) => ['如果遮住 ', {token}, '，模型会猜：'],
    ofMask: (token) => [{token}, ' 的位置，模型猜：'],
    next: ['接下来，模型预计：'],
    writes: '模型写出',
    inPlaceOf: (token) => ['在 ', {token}, ' 的位置，它预计：'],
    short: '猜测：',
    without: (heads) => (heads === 1 ? '去掉这个头' : '去掉这些头'),
    writeOn: '继续写',
    close: '不再显示这一行',
  },
  researcher: '研究者视图：同时显示一切',
  headlines: {
    onAverage: '（平均）',
    change: (isMore, to) => [` 看${to ? ' ' : ''}`, to ?? '自己', isMore ? ' 更多：' : ' 更少：'],
    changed: (from, to) =>
      from && to
        ? [{token: from}, ' 换成 ', {token: to}, ' 后，']
        : from
          ? ['去掉 ', {token: from}, ' 后，']
          : ['加上 ', {token: to}, ' 后，'],
    other: '另一个句子：',
    settings: (changes) => `${changes.join('，')}：`,
    same: '这里没有变化达到 5 个百分点的联系。',
    points: (number) => `${number} 个百分点`,
    beside: (now, before, share) => `这是“${now}”；在“${before}”中是 ${share}。`,
  },

  unreadable: {
    says: (unknown, all) =>
      `这个模型读不懂这段文本：${all} 个词元中有 ${unknown} 个是 [UNK]，代表词表里没有的任何内容。`,
    other: '选一个能读的模型…',
  },
};
