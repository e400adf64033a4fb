/** What the names and titles of the academic model are made of; with letters beyond ASCII, as real data has them. */

export const GIVEN_NAMES = [
  'Amara', 'Björn', 'Chiara', 'Dmitri', 'Élodie', 'Farid', 'Grace', 'Hana', 'Ibrahim', 'Jovana', 'Kofi', 'Leila',
  'Mateo', 'Ngozi', 'Oskar', 'Priya', 'Quentin', 'Rosa', 'Søren', 'Tomoko', 'Umar', 'Vera', 'Wanda', 'Ximena',
  'Yusuf', 'Zoë',
];

export const FAMILY_NAMES = [
  'Abara', 'Bianchi', 'Castillo', 'Dvořák', 'Eriksen', 'Fischer', 'García', 'Haddad', 'Ivanova', 'Jansen', 'Kimura',
  'Lindqvist', 'Mbeki', 'Nakamura', 'Okafor', 'Petrov', 'Quispe', 'Rossi', 'Schmidt', 'Takahashi', 'Ueda', 'Vargas',
  'Weber', 'Xu', 'Yilmaz', 'Zając',
];

export const PLACES = [
  'Arden', 'Bergtal', 'Corvale', 'Dunmere', 'Eastholm', 'Fernley', 'Greyford', 'Harrow Bay', 'Inverlee', 'Juniper Hill',
  'Kestrel Point', 'Larkfield', 'Marisol', 'Northmoor', 'Oakhaven', 'Port Selby',
];

export const FIELDS = [
  'Astronomy', 'Botany', 'Chemistry', 'Computer Science', 'Economics', 'Geology', 'History', 'Linguistics',
  'Mathematics', 'Mechanical Engineering', 'Medicine', 'Musicology', 'Philosophy', 'Physics', 'Statistics', 'Zoology',
];

export const ADJECTIVES = [
  'adaptive', 'approximate', 'comparative', 'distributed', 'empirical', 'formal', 'hidden', 'incremental', 'large',
  'modern', 'nonlinear', 'optimal', 'practical', 'robust', 'sparse', 'stable', 'statistical', 'visual',
];

export const THINGS = [
  'alloys', 'archives', 'cells', 'climates', 'crystals', 'dialects', 'economies', 'forests', 'galaxies', 'graphs',
  'instruments', 'languages', 'markets', 'networks', 'oceans', 'proteins', 'rivers', 'settlements', 'signals', 'turbines',
];

export const METHODS = [
  'A survey of', 'An introduction to', 'Bounds for', 'Experiments with', 'Foundations of', 'Lessons from', 'Limits of',
  'Methods for', 'Notes on', 'The evolution of', 'Towards a theory of', 'Understanding',
];
