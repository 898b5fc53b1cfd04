/** @import {Course} from '../../en/lessons/index.js' */

/** @type {Course['frame']} */
export const frame = {
  title: '课程',
  lead: '把注意力拆开，一步一步地看。每个数字都在您的浏览器里算出，句子可以随意修改。“笔记本”指的是课程所依据的 PyTorch 笔记本；它的做法不同时，两种都会展示。',
  documentTitle: (step) => (step ? `${step} · bertscope 课程` : '课程 · bertscope'),
  unknown: (name) => `这里没有名为“${name}”的课程或步骤。现有的课程：`,
  progress: (seen, count) => (seen ? `${count} 步中已看 ${seen} 步` : `${count} 步`),
  kept: '您看过哪些步骤，只保存在这个浏览器里。',
  forget: '清除记录',

  steps: '本课的步骤',
  position: (step, count) => `第 ${step} 步，共 ${count} 步`,
  back: '上一步',
  next: '下一步',
  nextLesson: '下一课',
  done: '全部课程',
  large: '大字',
  parts: '显示',
  pageBefore: '上一段',
  pageAfter: '下一段',
  question: '问题',
  answers: {
    predict: '您的预测',
    think: '您怎么想？',
    compare: '对照',
    skip: '显示答案',
    again: '再预测一次',
    said: '您说：',
    right: '对了：',
    wrong: '不完全对。您说：',
    found: '算出的是：',
    all: (count) => `我的回答（${count}）`,
    title: (lesson) => `我的回答：${lesson}`,
    name: '您的名字，如果老师需要',
    copy: '复制带有我的回答的链接',
    link: '只有这个链接含有您的名字和回答。请把它交给老师。',
    close: '关闭',
    /** Said of a choice that the engine has not compared yet. */
    uncompared: '未比较',
    verdicts: {right: '对', wrong: '不对', open: '自己的话'},
    forTeachers: '给教师：课时安排和容易出错的地方',
    ofClass: {
      title: '全班的回答',
      lead: '粘贴学生复制的链接，一个或许多，前后有别的文字也可以；或者打开一个写有链接的文本文件。它们只在这个页面里读取，不会发送到任何地方。',
      links: '链接',
      file: '打开文本文件',
      noLinks: '这段文字里没有课程的链接。',
      unsigned: '没有名字',
      student: '学生',
      counts: '对 · 不对 · 自己的话',
      count: (right, wrong, open) => `${right} · ${wrong} · ${open}`,
      students: (count) => `${count} 名学生`,
      cut: (most) => `只显示前 ${most} 个链接。`,
      csv: '保存为 CSV',
      unchecked: '链接里是学生的浏览器写进去的内容；它证明的不比一张纸更多。',
    },
  },
  code: '用 PyTorch 写',
  program: {
    copy: '全部复制',
    save: '保存它的张量（NPZ）',
    reads: (file) => `它读取“${file}”，由第二个按钮保存。`,
    preamble: '前面要有的代码',
  },
  numbers: '以表格显示数字',
  bertBase: {
    use: '换成笔记本用的 bert-base',
    size: '大小 440 MB，从 huggingface.co 下载。',
    expect:
      '这里的 bert-base 用 8 位权重。编号和形状与笔记本相同。注意力权重会在小数点后第三、四位有出入：在量过的模型里平均相差 0.0001 到 0.0008，100 行里至少 96 行最大的权重在同一处。',
  },
  explore: '在“探索”中打开，可用所有视图和头',
  needsWords: '这一课需要一个能为 [MASK] 猜词的模型，所选的模型不能。',
  empty: '输入一个句子，数字就会出现。',
  keys: '空格继续，← → 换步，p 大字',
  time: (milliseconds) =>
    `计算用时${milliseconds < 1 ? '不到 1' : ` ${milliseconds.toFixed(0)}`} 毫秒`,
  sentence: (i, count) => {
    if (count === 1) return '句子：改动它，下面的一切随之改变';
    return i === 0 ? '第一个句子' : '第二个句子';
  },

  tensor: {
    label: (name, shape, axes) =>
      `${name}：${shape.map((size, i) => `${size} ${axes[i] ?? ''}`.trim()).join(' 乘 ')}。用方向键读数字。`,
    sum: '和',
    save: (name) => `复制或保存“${name}”`,
    copy: '复制',
    copied: '已复制',
    notCopied: '浏览器不允许',
    one: (axis) => (axis === '批' ? '句子' : axis),
  },
};
