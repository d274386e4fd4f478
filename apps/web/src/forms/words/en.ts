/** Simple things that a child can draw; each is easy to distinguish from the others. */
export const words = `
acorn album almond anchor ankle apple apron arch arrow autumn badge bagel ball balloon bamboo banana banjo barn basil
basket bath beach bead beak bean bear beard beaver bed bee beetle bell belt bench berry bicycle bird biscuit blanket
blossom boat bolt bone book boot bottle bow bowl box branch bread brick bridge broom brush bubble bucket bud bull bush
butter button cabbage cabin cactus cake camel camera canal candle candy canoe canyon cap cape caravan card carpet
carrot cart castle cave cedar ceiling cello chain chair chalk cheese cherry chess chest chicken chimney chin chip
circle circus clay cliff clock cloth cloud clover clown coach coal coast coat cobra cocoa coconut coffee coin collar
comb comet compass cookie copper coral corn corner cotton couch cover cow crab cradle crane crayon cream creek cricket
crow crown cube cup cupboard curtain cushion daisy dance deer desert desk diamond dice dinner dish doctor doll dolphin
donkey door dove dragon drawer dream dress drum duck dune dust eagle ear earth east echo egg elbow elephant elk engine
envelope evening eye fabric face factory fair falcon farm feather fence fern ferry field fig finger fire fish flag
flame flask flea floor flour flower flute fly foam fog forest fork fountain fox frame friend frog frost fruit garden
garlic gate gift ginger giraffe glass globe glove glue goat gold goose grain grape grass gravel guitar gull hail
hammer hand harbor hare harp hat hawk hay hazel heart hedge helmet hen herb hill hive honey hood hoof hook horizon
horn horse house ice icicle igloo ink iris iron island ivory ivy jacket jam jar jasmine jeans jelly jewel jigsaw juice
jungle kangaroo kernel kettle key kite kitten knee knot ladder lake lamb lamp lantern lark laurel lawn leaf leather
lemon lentil leopard letter lever lily lime linen lion lizard llama loaf lobster log lotus lynx magnet mango map maple
marble market mask mast meadow melon metal milk mill mint mirror mitten mole monkey moon moose morning moss moth motor
mountain mouse mouth mushroom mustard nail napkin neck needle nest net nickel night noodle north nose notebook nut oak
oar oasis oat ocean octopus olive onion orange orchard orchid otter oven owl oyster paddle page paint palace palm
panda paper parade parcel park parrot path peach peacock pear pearl pebble pelican pen pencil penguin pepper piano
picnic picture pie pigeon pillow pilot pine pipe pirate planet plate plum pocket poem pond pony poppy porch potato
powder prairie pump pumpkin puppet puzzle quail quartz queen quilt rabbit radio radish raft rail rain raisin raven
reef ribbon rice ring river road robin robot rock rocket roof room root rope rose ruby rug ruler saddle sail salad
salmon salt sand sandal satin scale scarf school scissors sea seal seed shadow shark shawl sheep shelf shell ship
shirt shoe shore shovel silk silver singer sink skate ski sky sled sleeve slipper snail snow soap sock sofa soil soup
south spade spark sparrow spice spider spinach sponge spoon spring spruce square squirrel stable stair star station
steam steel stem stone stool stork storm stove straw stream street string sugar suitcase summer sun swan sweater swing
sword table tail tea teacher tent thimble thistle thread throne thumb thunder tide tiger tile timber toast tomato
tongue tooth torch tower toy tractor trail train tray tree trout truck trumpet trunk tulip tunnel turkey turnip turtle
umbrella valley vase velvet village vine violet violin wagon wall walnut walrus wasp watch water wave wax weather web
well whale wheat wheel whistle willow wind window wing winter wolf wood wool yard yarn yogurt zebra
`;
