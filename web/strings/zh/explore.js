/** @import {ExploreStrings} from '../en/explore.js' */

/**
 * What the page says around the picture, in Simplified Chinese.
 *
 * @type {ExploreStrings}
 */
export const explore = {
  sentence: '句子',

  headline: {
    looks: ({from, to, share, kind}) => {
      const target = kind === 'itself' ? ['自己'] : kind === 'sameWord' ? ['另一个 ', {token: to}] : [{token: to}]; // prettier-ignore
      return [
        {token: from},
        kind === 'itself' || kind === 'sameWord' ? ' 看' : ' 看 ',
        ...target,
        `：${share}`,
      ];
    },
    shows: {
      pronoun: ({from, to}) => `“${from}”在这里指的是“${to}”吗？`,
      sameWord: () => '另一处的同一个词。',
      phrase: () => '这个头把两个词联系在一起。',
      neighbour: ({isBefore, isMark}) => `${isBefore ? '前' : '后'}一个${isMark ? '标点' : '词'}。`,
      punctuation: () => '标点：这个头至少把 40% 的注意力给了标点。',
      mark: () => '标点。',
      itself: () => '词自身。',
      special: ({to}) => `${to} 往往表示“这里没什么可看”：头在文本里什么也没找到时就看它。`,
    },
    none: '这里没有突出的词。',
    writes: '模型写出',
    unshown: (token) => `${token} 没有显示。`,
    otherHeads: '在其他头中：',
    next: '下一个发现',
    place: (layer, head) => `第 ${layer} 层第 ${head} 头`,
    mean: (layers, heads) =>
      layers > 1 ? `${layers} 层的平均，每层 ${heads} 个头` : `${heads} 个头的平均`,
    ofLayer: (layer) => `第 ${layer} 层`,
  },

  map: {
    title: '所有的头',
    ofWord: (word) => `“${word}”的联系`,
    names: '头在看什么',
    place: '1.4 是第 1 层第 4 头',
  },

  panels: {
    label: '关于这幅图',
    names: {why: '怎么算', whatif: '假设', numbers: '数值', settings: '设置'},
    close: '关闭',
  },

  special: {
    show: (names) => `显示 ${names}`,
    hide: (names) => `隐藏 ${names}`,
  },

  pieces: '带 ## 的词元接在前一个词元之后：这个模型把少见的词切成几块。',
};
