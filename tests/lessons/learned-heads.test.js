import {test} from 'node:test';
import {steps} from '../../web/lessons/learned-heads/steps.js';
import {compute, toolsOf} from './embedded-models.js';
test('x', async () => {
  for (const [n, s] of Object.entries(steps)) {
    const t = performance.now();
    const data = await compute(s);
    console.log(n, Math.round(performance.now()-t), JSON.stringify(await s.asked.find(toolsOf(s), null, data)));
    if (n==='own-pairs') console.log(JSON.stringify({...data.score, right:0}), data.alike, data.heads, data.marked.map(m=>[...m.pairs]));
  }
});
