/** Slides to copy. They are the same in every language. */

export const recipes = {
  reveal: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Attention</title>
<link rel="stylesheet" href="reveal/reveal.css">
<link rel="stylesheet" href="reveal/theme/white.css">
<script type="module" src="lib/element.js"></script>
<style>.reveal bert-scope { --view-max-height: 470px; }</style>
</head>
<body>
<div class="reveal">
<div class="slides">
  <section>
    <h3>What does “they” look at?</h3>
    <bert-scope large special="hide" layer="1" heads="4" token="q8"
      text="The children played in the garden until they were tired."></bert-scope>
  </section>
  <section>
    <h3>Try a sentence</h3>
    <bert-scope large special="hide" layer="3" heads="2" editable
      text="time flies like an arrow"></bert-scope>
  </section>
</div>
</div>
<script src="reveal/reveal.js"></script>
<script>Reveal.initialize({width: 1280, height: 720, center: false});</script>
</body>
</html>
`,

  quarto: `---
title: Attention
format:
  revealjs:
    embed-resources: true
    width: 1280
    height: 720
---

## What does “flies” look at?

\`\`\`{=html}
<script type="module" src="bertscope-frozen.js"></script>
<bert-scope large heads="0" token="q1">
<script type="application/json">
{"tokens": ["time", "flies", "fast"],
 "attention": [[[[0.1, 0.8, 0.1], [0.7, 0.2, 0.1], [0.2, 0.7, 0.1]]]]}
</script>
</bert-scope>
\`\`\`
`,
};
