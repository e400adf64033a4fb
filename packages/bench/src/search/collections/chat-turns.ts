import { RandomNumbers } from '../../random-numbers.ts';
import { CollectionBuilder } from './collection-builder.ts';
import type { JudgedCollection } from './judged-collection.ts';

const PEOPLE = [
  'Alice',
  'Bob',
  'Carla',
  'Dmitri',
  'Elena',
  'Farid',
  'Grace',
  'Hiro',
  'Ines',
  'Jonas',
  'Kofi',
  'Lena',
  'Maria',
  'Noah',
  'Olga',
  'Priya',
];

/** Turns that tell nothing: about half of a conversation. */
const SMALL_TALK = [
  'ok',
  'okay!',
  'haha',
  'thanks!',
  'thank you so much',
  'sounds good to me',
  'really?',
  'I see what you mean',
  'good morning, how are you?',
  'talk to you later',
  'that is great news',
  'sorry, I was away for a moment',
  'what do you think?',
  'no worries',
  'let me know how it goes',
];

/** Words of each subject that people talk about. */
const SUBJECTS = [
  'trail boots summit ridge backpack camp valley weather map ranger glacier hut',
  'oven dough flour recipe butter spices soup garlic kitchen taste oil pan',
  'guitar concert chords band rehearsal melody drummer stage song lyrics studio album',
  'exam lecture professor thesis library campus essay semester grades tutor notes deadline',
  'doctor clinic prescription symptoms headache appointment nurse allergy tablets recovery fever rest',
  'flight airport luggage hotel passport ticket museum beach hostel itinerary train visa',
  'garden tomatoes soil seeds compost roses watering pruning greenhouse herbs weeds harvest',
  'server deploy database bug release tests laptop branch review outage backup script',
  'puppy vet leash kitten food shelter walk collar vaccine toys fur crate',
  'match goal coach stadium training league referee injury striker tournament season penalty',
  'mortgage rent landlord apartment furniture kitchen lease deposit neighbours balcony movers keys',
  'painting canvas gallery brush sculpture exhibition sketch watercolour clay museum frame studio',
].map((words) => words.split(' '));

/** What a person says once, and how somebody else asks for it later. */
const FACTS = [
  {
    values: ['Lisbon', 'Oslo', 'Kyoto', 'Nairobi', 'Quito', 'Tallinn', 'Galway', 'Porto'],
    told: ['We finally moved to {v} last month', 'I am living in {v} now, near the river'],
    asked: ['Where does {p} live?', 'Who moved to {v}?', 'living in {v}'],
    after: 'How do you like the new city, {p}?',
  },
  {
    values: ['peanuts', 'shellfish', 'pollen', 'penicillin', 'cats', 'gluten'],
    told: ['The doctor says that I am allergic to {v}', 'My allergy to {v} got worse this year'],
    asked: ['What is {p} allergic to?', 'Who cannot have {v}?', 'allergies against {v}'],
    after: 'Oh no, do you take tablets against the allergy?',
  },
  {
    values: ['cello', 'saxophone', 'harp', 'accordion', 'banjo', 'oboe'],
    told: ['I began to learn the {v} in spring', 'My lessons on the {v} are on Tuesdays'],
    asked: ['Which instrument is {p} learning?', 'Who plays the {v}?', '{v} lessons'],
    after: 'I did not know that you make music, {p}!',
  },
  {
    values: ['astronomy', 'linguistics', 'geology', 'law', 'robotics', 'nursing'],
    told: ['I got a place at the university to study {v}', 'My thesis in {v} is due in June'],
    asked: ['What does {p} study?', 'students of {v}', 'a degree in {v} at the university'],
    after: 'Congratulations, the campus is beautiful.',
  },
  {
    values: ['Rex', 'Luna', 'Biscuit', 'Pepper', 'Mochi', 'Simba'],
    told: ['Our puppy is called {v}', 'We took a kitten home from the shelter and named it {v}'],
    asked: ["What is {p}'s puppy called?", 'Whose pet is {v}?', 'the kitten named {v}'],
    after: 'Send me a photo of the little one!',
  },
  {
    values: ['marathon', 'triathlon', 'chess tournament', 'regatta', 'poetry slam'],
    told: ['I am training for a {v} in autumn', 'I signed up for the {v} in October'],
    asked: ['What is {p} training for?', 'Who takes part in a {v}?', 'signing up for the {v}'],
    after: 'Good luck with the training.',
  },
] as const;

const CONVERSATIONS = 60;
const TURNS = 200;

/**
 * Generates conversations of two people each: short turns with their speakers as literals, as chat
 * logs are stored. A question is answered by the turns that tell the fact (gain 2). The replies to
 * them help (gain 1), and so do such facts about others where a question names a person: no turn
 * says who speaks.
 */
export function chatTurns(seed: number): JudgedCollection {
  const random = new RandomNumbers(seed);
  const builder = new CollectionBuilder('chat turns');
  const told = new Map<string, { turn: string; reply: string; kind: number; person: string; value: string }>();
  for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
    const speakers = random.sample(PEOPLE, 2);
    let subject = random.pick(SUBJECTS);
    const say = (turn: number, speaker: string, text: string): string => {
      const id = `chat/${conversation}/turn/${turn}`;
      builder.fact(id, 'speaker', speaker);
      builder.fact(id, 'text', text);
      builder.fact(id, 'session', `Conversation ${conversation}`);
      return id;
    };
    for (let turn = 0; turn < TURNS; turn++) {
      const at = random.below(2);
      const speaker = speakers[at];
      if (random.below(15) === 0) subject = random.pick(SUBJECTS);
      const kind = random.below(40);
      if (kind < 20) say(turn, speaker, random.pick(SMALL_TALK));
      else if (kind > 0 && kind < 38) {
        const words = random.sample(subject, random.between(2, 5));
        say(turn, speaker, `${random.pick(OPENINGS)} ${words.join(random.pick(JOINTS))} ${random.pick(ENDINGS)}`);
      } else {
        const number = random.below(FACTS.length);
        const fact = FACTS[number];
        const key = `${speaker} ${number}`;
        if (told.has(key)) continue;
        const value = random.pick<string>(fact.values);
        const first = say(turn, speaker, random.pick<string>(fact.told).replace('{v}', value));
        const reply = say(++turn, speakers[1 - at], fact.after.replace('{p}', speaker));
        told.set(key, { turn: first, reply, kind: number, person: speaker, value });
      }
    }
  }
  const asked = new Set<string>();
  for (const { kind, person, value } of told.values()) {
    for (const form of FACTS[kind].asked) {
      const text = form.replace('{p}', person).replace('{v}', value);
      if (asked.has(text)) continue;
      asked.add(text);
      const gains = new Map<string, number>();
      for (const fact of told.values()) {
        if (fact.kind !== kind) continue;
        if (form.includes('{v}')) {
          if (fact.value === value) gains.set(fact.turn, 2).set(fact.reply, 1);
        } else gains.set(fact.turn, fact.person === person ? 2 : 1);
      }
      builder.query(text, gains);
    }
  }
  return builder.collection();
}

const OPENINGS = [
  'Yesterday I had trouble with the',
  'Have you seen the',
  'I keep thinking about the',
  'We should talk about the',
  'My brother asked about',
];
const JOINTS = [' and the ', ', the ', ' or ', ' with the '];
const ENDINGS = ['again.', 'before the weekend.', 'with the others?', 'as we said.', 'at home.', 'next week.'];
