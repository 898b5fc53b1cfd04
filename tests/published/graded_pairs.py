"""A hundred pairs of sentences from equal in meaning to unrelated, as those of the STS tasks are: Agirre et al. 2012,
"SemEval-2012 Task 6: A Pilot on Semantic Textual Similarity"."""

GRADED: list[tuple[str, list[str]]] = [
    (
        "A man is playing a guitar on the stage.",
        [
            "On the stage, a man plays the guitar.",
            "A man is playing an electric guitar at a concert.",
            "A woman is playing a violin on the stage.",
            "Some people are listening to music in a bar.",
            "The farmer sells potatoes at the market.",
        ],
    ),
    (
        "The company will close two of its factories next year.",
        [
            "Next year the company is going to shut down two factories.",
            "The company will close some factories and dismiss 400 workers.",
            "The company opened a new factory last year.",
            "Shares of the company fell on Monday.",
            "My grandmother knits a red scarf.",
        ],
    ),
    (
        "A small dog runs across the wet grass.",
        [
            "A little dog is running over wet grass.",
            "A small brown dog runs across a field with a ball.",
            "A big dog sleeps on the grass.",
            "A cat watches birds in the garden.",
            "The prime minister answered questions about taxes.",
        ],
    ),
    (
        "How do I change the password of my account?",
        [
            "What can I do to change my account's password?",
            "I forgot my password; how can I set a new one?",
            "How do I delete my account?",
            "Why does the page ask me to sign in again?",
            "Which mountain is the highest in Africa?",
        ],
    ),
    (
        "Two children are building a castle of sand on the beach.",
        [
            "On the beach two kids build a sand castle.",
            "Children are playing with sand near the sea.",
            "Two children are swimming in the sea.",
            "A family is having lunch by a lake.",
            "The battery of this phone lasts for two days.",
        ],
    ),
    (
        "The storm destroyed hundreds of houses along the coast.",
        [
            "Hundreds of homes along the coast were destroyed by the storm.",
            "The storm damaged many houses and left a town without power.",
            "A storm is expected to reach the coast on Friday.",
            "It rained for most of the week in the north.",
            "She learned to play chess from her uncle.",
        ],
    ),
    (
        "Someone is cutting an onion with a sharp knife.",
        [
            "A person slices an onion using a sharp knife.",
            "A cook is chopping vegetables in a kitchen.",
            "Someone is peeling a potato.",
            "A woman washes the dishes after dinner.",
            "The satellite circles the earth every ninety minutes.",
        ],
    ),
    (
        "The study found that coffee does not raise the risk of heart disease.",
        [
            "According to the study, drinking coffee does not increase the risk of heart disease.",
            "Researchers say that coffee may even protect the heart.",
            "The study found that smoking raises the risk of heart disease.",
            "Doctors advise people to sleep eight hours a night.",
            "The train from Lyon arrives at platform four.",
        ],
    ),
    (
        "A plane is landing at the airport in heavy fog.",
        [
            "In thick fog, an airplane lands at the airport.",
            "Many flights were delayed at the airport because of fog.",
            "A plane is taking off from the airport.",
            "A bus waits at the corner of the street.",
            "He paints portraits of his neighbours.",
        ],
    ),
    (
        "The teacher explained the problem to the class once more.",
        [
            "Once again the teacher explained the problem to her class.",
            "The teacher solved the problem on the board for the students.",
            "The students explained their answers to the teacher.",
            "The school will be closed during the holidays.",
            "Salt lowers the temperature at which water freezes.",
        ],
    ),
    (
        "This restaurant serves the best pizza in town.",
        [
            "The best pizza in town is served at this restaurant.",
            "I think the pizza here is better than at most places.",
            "This restaurant serves very bad coffee.",
            "We ate at home because it was late.",
            "The court rejected the appeal on Tuesday.",
        ],
    ),
    (
        "A woman in a blue coat is riding a bicycle.",
        [
            "A woman who wears a blue coat rides a bike.",
            "A woman is riding a bicycle through the city.",
            "A man in a blue coat is repairing a bicycle.",
            "People are waiting for the traffic light to change.",
            "Copper conducts electricity better than iron.",
        ],
    ),
    (
        "The team won the final by three goals to one.",
        [
            "The final ended with the team winning three to one.",
            "The team won the match after scoring twice in the second half.",
            "The team lost the final by one goal.",
            "The coach will retire at the end of the season.",
            "Please put the books back on the shelf.",
        ],
    ),
    (
        "I would like to book a room for two nights.",
        [
            "I want to reserve a room for two nights, please.",
            "Is there a room free for the weekend?",
            "I would like to cancel my reservation.",
            "The hotel is close to the station.",
            "The glacier has lost half of its ice.",
        ],
    ),
    (
        "Scientists have discovered a new planet outside the solar system.",
        [
            "A new planet beyond our solar system was discovered by scientists.",
            "Astronomers found three planets that orbit a distant star.",
            "Scientists have discovered a new kind of frog.",
            "The telescope was launched ten years ago.",
            "Her brother works in a bakery.",
        ],
    ),
    (
        "The old bridge is closed to cars until spring.",
        [
            "Until spring, cars may not use the old bridge.",
            "The bridge is being repaired and will open again in April.",
            "The new bridge is open to cars.",
            "There is a lot of traffic in the centre in the morning.",
            "Whales sing to each other over great distances.",
        ],
    ),
    (
        "Prices of oil rose sharply on Wednesday.",
        [
            "On Wednesday oil prices went up sharply.",
            "Oil became more expensive for the third day in a row.",
            "Prices of oil fell slightly on Wednesday.",
            "The bank raised its interest rates again.",
            "The children sang a song for their parents.",
        ],
    ),
    (
        "He read the letter twice and then burned it.",
        [
            "After reading the letter two times, he burned it.",
            "He read her letter and threw it into the fire.",
            "He wrote a letter but never sent it.",
            "She found some old photographs in a drawer.",
            "The new engine uses less fuel.",
        ],
    ),
    (
        "Drink plenty of water when the weather is hot.",
        [
            "When it is hot, you should drink a lot of water.",
            "In summer it is important to drink enough and to stay in the shade.",
            "Wear warm clothes when the weather is cold.",
            "The lake is nearly dry this year.",
            "The museum shows paintings of the seventeenth century.",
        ],
    ),
    (
        "The police arrested a man who had stolen several cars.",
        [
            "A man who stole several cars was arrested by the police.",
            "The police are looking for a man who stole a car.",
            "A man was injured when two cars collided.",
            "The mayor promised safer streets.",
            "Bread rises because yeast makes gas.",
        ],
    ),
]
"""Sentences, each with five others: equal in meaning, nearly so, alike in some details, on one topic, and unrelated."""
