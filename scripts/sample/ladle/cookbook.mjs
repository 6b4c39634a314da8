// The first pages of the cookbook that is imported in the story.

export const COOKBOOK = `Potato soup with marjoram
Serves 4
Ingredients
- 800 g floury potatoes
- 1 onion
- 2 carrots
- 1 1/4 l vegetable stock
- 1 tbsp butter
- 1 tsp dried marjoram
- a pinch of nutmeg
Method
1. Sweat the onion in the butter until it is glassy.
2. Add potatoes, carrots and stock and cook for twenty-five minutes.
3. Crush half of it with a fork, stir, and season.
=====
Buttermilk bread
Makes 1
Ingredients
- 500 g wheat flour
- 1/2 l buttermilk
- 1 tsp baking soda
- 1 1/2 tsp salt
Method
1. Mix everything with a spoon, as little as possible.
2. Shape a round loaf, cut a cross, bake forty minutes in a hot oven.
3. It is done when it sounds hollow.
=====
Red cabbage
Serves 6
Ingredients
- 1 head red cabbage
- 2 sour apples
- 3 tbsp vinegar
- 2 tbsp brown sugar
- 4 cloves
- a pinch of salt
Method
1. Cut the cabbage as thin as you can.
2. Stew it with everything else for an hour and a half, lid on.
3. Better on the second day.
=====
Plum jam
For 8
You need
- 2 kg plums
- 1 kg sugar
- 1 stick cinnamon
How to
1. Stone the plums and leave them under the sugar overnight.
2. Cook slowly, stir often, and fill into hot jars.
=====
Oat biscuits
Makes 40
Ingredients
- 250 g oats
- 150 g butter
- 120 g sugar
- 1 egg
- 4 tbsp flour
- 1/2 tsp baking powder
Method
1. Brown the oats in the butter and let them cool.
2. Stir in the rest, set small heaps on a tray.
3. Bake twelve minutes, no longer.
=====
Barley risotto
Serves 4
Ingredients
- 300 g pearl barley
- 1 leek
- 1 l hot stock
- 60 g hard cheese, grated
- 1 tbsp oil
- pepper
Method
1. Toast the barley in the oil with the leek.
2. Add the stock in ladles, waiting each time.
3. Stir in the cheese at the end.
=====
Pear and lentil salad
Serves 4
Ingredients
- 250 g green lentils
- 2 ripe pears
- 80 g walnuts
- 1 tbsp mustard
- 3 tbsp oil
Method
1. Cook the lentils until they are just soft, and drain them.
2. Mix while warm, slice the pears over it.`;
