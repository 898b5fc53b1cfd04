/** Plain English of many kinds, for measurements. */
export const sentences = `
Time flies like an arrow.
The cat sat on the mat.
My friend told me about this class and I love it so far! She was right.
The rabbit quickly hopped over the slow turtle.
Where did you put the keys that were on the table?
He gave his sister a book about the history of the moon.
It rained all night, so the river rose above the bridge.
I have never seen such a beautiful garden before.
The committee will publish its report next Tuesday.
Water boils at one hundred degrees at sea level.
She opened the window because the room was too warm.
Please close the door behind you when you leave.
The old man told the children a story about a dragon.
Three of the five experiments gave the same result.
If you mix blue and yellow paint, you get green.
The train to the coast leaves at half past seven.
Nobody knew why the lights had gone out.
The doctor said that the patient could go home on Friday.
Although he was tired, he walked the whole way back.
The law was passed by a small majority in the spring.
Can you help me carry these boxes up the stairs?
A good teacher listens more than he talks.
The company sold its last factory ten years ago.
Birds fly south in autumn and return in spring.
The soup tastes better with a little more salt.
They had lived in the same village all their lives.
The computer that I bought last year is already too slow.
In winter the lake is covered with thick ice.
What she said made everybody laugh.
The president spoke about peace, work and education.
We should plant more trees along this street.
The dog barked at the stranger who came to the gate.
Light travels faster than sound.
He could not remember where he had parked the car.
The museum is free for students and open every day.
After the storm the sea was calm again.
Her brother plays the piano, and she plays the violin.
The farmers brought apples, pears and plums to the market.
Is this the way to the station?
The price of bread has doubled since last summer.
An honest answer is better than a kind lie.
The children were playing in the yard until it got dark.
You must not touch the wires while the power is on.
The letter arrived two weeks after it was sent.
Most of the energy comes from the wind and the sun.
I would rather stay at home tonight and read.
The bank by the river closed its doors at noon.
The trophy does not fit into the suitcase because it is too big.
Every cell of the body contains the same set of genes.
They thanked the captain and went ashore.
`
  .trim()
  .split('\n');
