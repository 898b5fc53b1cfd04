/**
 * What heads do on average is measured over these: short and long, questions and answers, words
 * that come again, marks of every kind. Written for this project.
 */
export const everydaySentences = `
The kettle boiled while she looked for a clean cup.
Who left the garden gate open last night?
The farther we walked, the quieter the forest became.
You said it was your turn, and then you said it was mine.
We planted carrots, beans, and a row of sunflowers.
The train was late, but the next train was early.
My cousin lives near the sea; I live near the hills.
Bring a coat, because the evenings are cold.
The painter mixed blue with yellow and got green.
Did the mail arrive before or after lunch?
A small dog barked at a big dog across the street.
Nobody in the office knew how to fix the printer.
The soup needs salt, pepper, and a little lemon.
I read the first page twice and the last page once.
The children built a bridge out of wet sand.
When the music stopped, everyone looked for a chair.
He folded the map, put it away, and asked for help.
The library closes at six on Fridays.
Is this seat taken, or may I sit here?
The baker sold all the bread before noon.
She whispered the secret, and he forgot the secret.
Tall trees grow slowly; short trees grow slowly too.
The cat that slept on the chair was not our cat.
Please turn the music down, the baby is asleep.
Rain fell on the roof, on the road, and on the river.
What would you do with a free afternoon?
The old clock in the hall stopped at midnight.
They painted the fence white, and then they painted the door.
I forgot my umbrella, so I waited inside.
The teacher asked a question that nobody could answer.
A letter without a stamp was lying on the mat.
The farmer counted his sheep, but one sheep was missing.
Our neighbours are friendly, and their garden is lovely.
She said, "I will call you tomorrow," and hung up.
The boat drifted slowly toward the quiet harbour.
Why do leaves change colour in autumn?
He bought two tickets for the concert on Saturday.
The doctor, who was very kind, explained everything.
A red kite got stuck in the highest branch.
If you see my brother, tell him dinner is ready.
The museum has a room full of old maps.
We walked for hours and saw no one.
The bus driver waited until the old lady sat down.
My phone is broken; may I use your phone?
The bread smelled better than it tasted.
The river is wide here, but it is not deep.
She taught her daughter to swim in the lake.
Has anyone seen the key to the cellar?
The smallest kitten was also the bravest kitten.
He repaired the bicycle with a piece of wire.
Snow covered the fields from one village to the next.
The students wrote their names on the first line.
I like tea with milk, and my wife likes tea without.
The lamp flickered, buzzed, and went out.
It was his idea, not hers, to paint the kitchen yellow.
The plane landed an hour later than planned.
How many steps are there from here to the beach?
A stranger gave us directions to the station.
The judge listened to both sides before she spoke.
She lost her ring in the garden and found it years later.
The soup is hot; the salad is cold.
The actor forgot his lines, and the audience laughed.
My grandfather fixed watches for forty years.
They moved the table, the lamp, and the chairs outside.
The wind blew the hat off his head.
Can you hear the waves from your window?
The cook tasted the sauce and added more garlic.
A good question is better than a quick answer.
The road was closed, so we took another road.
Her voice was soft, but every word was clear.
The scientists measured the ice again and again.
I would love to come, but I have to work.
The puppy chewed one shoe and hid the other.
Three ships left the port and two ships came back.
The window faces north, so the room stays cool.
What time does the first ferry leave?
The singer thanked the band and left the stage.
He opened the box carefully, as if it might break.
We ate the cake that your mother had baked.
The bridge was built long before the town was built.
A candle burned on each of the tables.
The mayor promised new parks, new schools, and new trees.
She runs faster than her brother, who runs every day.
The letter began with "Dear friend" and ended with a joke.
My bag is black; the black bag on the floor is not mine.
The gardener waters the roses early in the morning.
Nothing is as quiet as a street after snow.
Did you lock the door when you left the house?
The goalkeeper dropped the ball, and the crowd groaned.
He whistled a song that his father used to sing.
The market sells fish on Tuesdays and flowers on Thursdays.
I cannot find the book that you lent me.
The moon was so bright that we needed no lamp.
She painted birds, only birds, and sold every picture.
The elevator is out of order; please take the stairs.
A bee landed on the sleeve of my shirt.
The tailor shortened the sleeves and let out the waist.
Who wrote the poem that you read at the wedding?
The mountain looked near, but it was far away.
They argued about the bill, and then they both paid.
The nurse smiled, took his hand, and told him to breathe.
Every key on the ring fits a different lock.
The rabbit disappeared into a hole under the hedge.
It is easier to ask a friend than to ask a stranger.
The coffee was strong, the morning was bright, and we were late.
Where did the road sign say we should turn?
The violin belonged to her aunt, a famous musician.
He planted an apple tree on the day his son was born.
The glass fell, but the glass did not break.
The guide spoke slowly so that everyone could follow.
We heard thunder in the distance and ran home.
The shop on the corner sells paper, pens, and paint.
My sister collects stamps; her friend collects coins.
The fire was out, yet the room was still warm.
Do penguins live at the North Pole or the South Pole?
The pilot announced that the weather was getting better.
A long line of ants crossed the kitchen floor.
She closed her eyes and counted to one hundred.
The museum was free, so we visited the museum twice.
The horse would not cross the bridge until its rider got off.
Someone has eaten the last piece of pie!
The carpenter sharpened his saw before he started.
He speaks three languages, but he dreams in only one.
The waiter brought the wrong soup to the wrong table.
Stars are always there, even when we cannot see them.
Our flight was cancelled; we slept at the airport.
The boy who won the race gave his medal to his sister.
When winter comes, the lake freezes from the edges inward.
Could you write your address on the back of this card?
The play lasted three hours, and the third hour was the best.
A thin cloud passed in front of the sun.
The plumber found the leak behind the kitchen wall.
She knew the answer, he guessed the answer, and I had no idea.
The fox watched the hens; the dog watched the fox.
The museum guard told us not to touch anything.
I put the letter in the blue box, not in the red box.
The tide goes out twice a day.
My uncle, a retired sailor, tells the same story every year.
What happens to the water when the sun is hot?
The bread is on the table, and the butter is beside the bread.
They had packed everything except the tent.
The mechanic said that the engine would last for years.
The path climbed, turned, and climbed again.
A map is useful only if you know where you are.
The baby laughed at the dog, and the dog wagged its tail.
He drew a circle, then a square inside the circle.
The company sent the parcel to the wrong city.
Is the pool open on public holidays?
The spoon is too big for the cup.
She folded the paper into a boat and let it float away.
The crowd cheered when the lights came back on.
The book that I liked most was the shortest book.
A cold wind came in every time the door opened.
The astronaut described the Earth as small and blue.
You can borrow my ladder if you bring it back.
The tower leans a little more every year.
He washed the plates; she dried the plates.
The pupils were quiet because the headmaster was listening.
How far is it from the hotel to the old town?
The bear caught a fish, ate it, and caught another.
My neighbour plays the piano badly, but she plays with joy.
The snow melted so fast that the cellar was flooded.
The editor crossed out one word and added two.
A mirror on the wall made the room look larger.
The team that scored first did not win.
I wrote down the number, lost the paper, and forgot the number.
The shepherd called, and the flock came down from the hill.
The teacher who taught me to write could barely see.
Which of these two roads leads to the castle?
The parrot repeats whatever the children say.
She keeps old photographs in a box under her bed.
The jury could not agree, so the judge sent them home.
It rained on Monday, it rained on Tuesday, and on Wednesday it poured.
The waiter forgot the bread but remembered the bill.
A single lamp lit the long, narrow corridor.
The fisherman mended his net while the sea was rough.
He is afraid of heights, and yet he became a pilot.
The sofa did not fit through the door because it was too wide.
The trophy fell off the shelf because it was not level.
Our teacher thanked the guide because he had been patient.
Where there is smoke, there is often someone cooking.
The clock struck one, and the mouse ran down.
My favourite sweater has a hole in its left sleeve.
The orchestra tuned their instruments in the dark.
They grow rice in the valley and tea on the slopes.
The dentist asked me a question while my mouth was full.
The cheapest ticket was not the cheapest way to travel.
After the storm, the beach was covered with shells.
Who is going to feed the fish while we are away?
The architect drew the house before she saw the land.
A word you know can have a meaning you do not know.
The two brothers own one car and share one key.
The grass is wet; take off your shoes before you come in.
The speaker paused, drank some water, and went on.
The squirrel buried its nuts and forgot where they were.
She looked at the sky, he looked at his phone, and they both got wet.
The hotel has ninety rooms, but only nine have a view.
Every morning the same man buys the same newspaper.
If the shop is closed, leave the parcel with the neighbour.
The story ends where it began: at an empty station.
`
  .trim()
  .split('\n');
