/** @import {Course} from '../../en/lessons/index.js' */

const shares = {
  caption: '色带：头的 95% 区间。圆点：头。竖线：最好的固定距离。',
  columns: {finds: '找到什么', head: '头', share: '头找到', distance: '距离找到'},
  /** @param {string} low @param {string} high */
  interval: (low, high) => `${low}–${high}`,
};

/** @type {Course['lessons']['learned-heads']} */
export const learnedHeads = {
  title: '头学会了什么',
  summary:
    '有没有一个头能找到宾语的动词？用许多句子来量，与单凭距离能找到的相比，再看它在哪里失败。',
  beyond: '动手才看得到：您对一个头的想法，有哪些经得起与一条小孩也会用的规则相比。',
  steps: {
    'word-before': {
      title: '前一个词',
      prose: [
        '有些头不需要语法：这个头总是看前一个词，不管那是什么。在英语里，相邻的词常常就是要找的词：形容词就在它的名词前面。',
        '所以一条完全不用模型的规则，比如“取后一个词”，就能找到不少语法关系。说一个头懂语法，它就得胜过最好的这种规则：*基线*。这里用人工标注过的句子来量，句子里标明了哪个词依存于哪个词。',
      ],
      question: '不用任何头：在这几种关系里，固定距离在哪一种上找到得最多？',
      answer: (_, facts) =>
        facts
          ? `一条规则就找到了 ${facts.share}。${facts.offset}一个头若只做到这样，也许只学会了这条规则，没有学会语法。中间隔着别的词时，没有哪个距离总是对的。`
          : '',
      options: {
        amod: '从形容词到它的名词',
        nsubj: '从主语到它的动词',
        obj: '从宾语到它的动词',
        obl: '从“in the garden”到那里发生的事',
      },
      labels: {
        finding: (layer, head, share) =>
          `在这个句子里，第 ${layer} 层第 ${head} 头平均把 ${share} 的注意力给了前一个词元。`,
        picture: '这个头',
        distances: '距离',
        bars: '不用任何头，最好的固定距离找到的',
        away: (offset) => `${offset < 0 ? '往前' : '往后'} ${Math.abs(offset)}`,
      },
    },
    objects: {
      title: '宾语的动词',
      prose: [
        '在“She ate a red apple”里，宾语是“apple”，它的动词是“ate”。对每个头都问：在这些句子的所有宾语中，有多少个由它的最大权重连到动词？',
        '换一批句子，数字就会不同。*区间*说明会差多少：它来自一遍遍重新抽取句子，有的抽到两次，有的一次也没有。只有连区间的下端都高过固定距离，这个头才有距离所没有的东西。',
      ],
      question: '每 100 个宾语里，最好的头能找到多少个的动词？',
      answer:
        '没有人告诉过模型什么是宾语：它只学过猜被遮住的词。可是在所有的头里，有一个找动词靠的不只是距离。它是在同样这些句子上挑出的最好的，所以看起来比实际略好。',
      labels: {
        ...shares,
        finding: ({best, links, position}, {sentences, words}) =>
          `${sentences} 个句子，${words} 个词。${links} 个宾语中，第 ${best.layer} 层第 ${best.head} 头找到 ${best.right} 个的动词，最好的固定距离找到 ${position.right} 个。`,
        shares: '与距离相比',
        table: '每个头找到的比例',
        axes: ['层', '头'],
        layer: (layer) => `第 ${layer} 层`,
        head: (head) => `第 ${head} 头`,
      },
    },
    missed: {
      title: '它在哪里失败',
      prose: [
        '一个比例会遮住出错的地方。下面是这个头没有找到动词的句子，所问的词在图里已经固定。',
        '看看它们有什么共同之处：有第二个宾语，如“gave the boy some medicine”；把宾语放在最前面的问句；中间插进来的从句。',
      ],
      question: '它失败时，找到的词多半比动词离宾语更近吗？',
      answer: (_, facts) =>
        facts
          ? `${facts.all} 次失败中有 ${facts.nearer} 次更近。如果这个头真认得动词，中间有什么都不要紧。所以“它找宾语”说得太多了：它找到的，是站在宾语的动词通常所在之处的动词。`
          : '',
      options: {nearer: '是，多半更近', farther: '不，并非多半'},
      labels: {
        which: (count) => `${count} 次失败中的一些`,
      },
    },
    compared: {
      title: '不只是距离？',
      prose: [
        '对最常见的关系都这样量。每种关系有它最好的头和最好的距离。粗体的那些，整个区间都高过距离。',
        '会不会是碰巧？头和关系这么多，总有一对显得不错。所以把每个句子的关系打乱，再数一遍：表格下面的一行说明还剩多少。',
      ],
      question: '在这些关系里，有多少种是头明显比距离找得好的？',
      answer: (_, facts) =>
        facts
          ? `${facts.all} 种里有 ${facts.better} 种。其余的，头知道的也许比距离多，但这些句子显示不出来。那种头的图和粗体的头的图一样令人信服，只有比较才分得开。`
          : '',
      options: {few: '不到三分之一', some: '三分之一到三分之二', most: '超过三分之二'},
      labels: shares,
    },
    'own-pairs': {
      title: '您自己的关系',
      prose: [
        '现在由您来问。改写句子，标出词对：先点从哪个词看起，再点它应该找到的词。一开始，每对都从“and”连接的两项中的第二项指向第一项。',
        '两个句子只是一个想法，不是证明。',
      ],
      question: '有没有一个头，找到您的词对比最好的固定距离更多？',
      answer:
        '词对很少时，几乎总有某个头合适，因为可选的头太多：看看有多少个头做得一样好。再加一个句子，在两个词之间放上别的词。如果还是同一个头找到它们，这才开始有点意义。',
      options: {more: '有，更多', same: '一样多', less: '没有，更少'},
      labels: {
        ...shares,
        more: '在工作台里，想标多少句就标多少句',
        finding: ({best, links, position}, alike, all) =>
          `${links} 对词中，第 ${best.layer} 层第 ${best.head} 头找到 ${best.right} 对，最好的固定距离找到 ${position.right} 对。` +
          (alike === 1
            ? `在 ${all} 个里没有别的做得一样好：每个头算两次，一次看它从第一个词看向哪里，一次看它从第二个词看向哪里。`
            : `在 ${all} 个里有 ${alike} 个做得一样好：每个头算两次，一次看它从第一个词看向哪里，一次看它从第二个词看向哪里。`),
      },
    },
  },
};
