// Phrases that are no English, or not ours: what was found in a year of use, and what is written instead.
export const phrases: readonly [RegExp, string][] = [
  [/\bhand(?:ed|s|ing)? (?:it |them |a receipt )?in\b/i, 'submit'],
  [/\b(?:to|can be|never) mend(?:ed)?\b/i, 'fix'],
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\ball the same\b/i, 'anyway'],
  [/\banew\b/i, 'again'],
  [/\bnobody fits\b|\bno \w+ fits\b/i, 'no matching …'],
  [/\bcome sober\b|\bempty stomach\b/i, 'please don’t eat beforehand'],
  [/\bweigh(?:ed|s|ing)?\b/i, 'evaluate'],
  [/\bke(?:ep|pt|eps) back\b/i, 'withhold'],
  [/\btwins?\b/i, 'duplicate'],
  [/\bhow you are called\b/i, 'your name'],
  [/\bgoes on by\b|\bgoes on where\b/i, 'continues'],
  [/\bthat were too many\b/i, 'too many tries'],
  [/\bof theirs already\b/i, 'already theirs'],
  [/\bfor ever\b/i, 'permanently'],
  [/\bSomebody, hopefully you\b/i, 'someone'],
  [/\be-mail\b/i, 'email'],
  [/\bas the device\b/i, 'System'],
  [/\bin any case\b/i, 'always'],
  [/\btake along\b/i, 'download'],
  [/\b(?:\d+|last \w+|most \w+) signs?\b/i, 'characters'],
  [/\basked for, weighed\b/i, 'submitted, checked'],
  [
    /\b(?:request|question|adjustment|invitation)s? (?:was |were |is |are )?taken back\b/i,
    'withdraw, or cancel',
  ],
  [titled(), 'sentence case (“Save absence”): only the specification’s own are in title case'],
]

/** A button, label or title in title case that the specification does not have. */
function titled(): RegExp {
  const first = 'Save|Add|Set|Update|Change|Remove|Send|Total|Used|Average|Current|New|Confirm'
  const own =
    'Save Changes|Update Password|Add (?:Company|User|Employee|Your First Dependent)|' +
    '[^]*(?:Super Admin|Company Admin|Healthfund|SEPA|DATEV)'
  const word = String.raw`[\p{L}’-]+`
  return new RegExp(
    String.raw`^\s*(?!(?:${own})\s*$)(?:${first})(?: ${word})* \p{Lu}\p{Ll}+(?: ${word})*\s*$`,
    'u',
  )
}

/** Words that PostgreSQL, HTTP, React or payroll has another one for: in no name and no comment of ours. */
export const name_words: readonly [RegExp, string][] = [
  [/\banew\b/, 'again'],
  [/\bmend(?:s|ed|ing)?\b/, 'fix'],
  [/\breckon(?:s|ed|ing)?\b/, 'compute'],
  [/\bweigh(?:s|ed|ing)?\b/, 'evaluate'],
  [/\bfold(?:s|ed|ing)?\b/, 'roll up'],
  [/\btwins?\b/, 'duplicate'],
  [/\bkeyed\b(?! hash)/, 'keyset'],
  [/\bsought\b/, 'search text, or target'],
  [/\bstandings?\b(?! in)/, 'account state, cover state, or what it is the state of'],
  [/\btold at\b/, 'notified, delivered or heartbeat'],
  [/\bworkroom\b/, 'worker pool'],
  [/\bhouse\b/, 'services, or app'],
  [/\bobstacles?\b/, 'blocker'],
  [/\blying\b/, 'horizontal, or landscape'],
  [/\b(?:whole claim|claim whole|whole employee)\b/, 'claim detail, employee detail'],
  [/\b(?:take|give back) batch\b|\bleavers off\b/, 'what it does'],
  [/\bdebts?\b/, 'overpayment'],
  [/\bpairs? of eyes\b|\b(?:another|next) pair\b/, 'second person'],
  [/\b(?:same|one) hand\b|\bhands of\b/, 'count as one'],
  [/\btake back (?:question|erasure|adjustment)s?\b/, 'withdraw'],
  [/\b(?:lines|amount) asked\b|\basked cents\b/, 'claimed'],
  [/\bclaim holders?\b/, 'assigned to, assignee'],
  [/\bthose here\b|\bput items\b|\bthing id\b/, 'what they are'],
  [/\b(?:\d+|or two|last \w+|most \w+|whole) signs\b|^signs$/, 'characters'],
  // A whole name, and no field of data: verbs that stood for many things each.
  [/^(?:asked|told|said|says)$/, 'request, filter, notice, text, output, or what it is'],
  [/^(?:wish|wanted|given|seen)$/, 'input, target, expected, version, or what it is'],
  [/^(?:hear|heard|tell|beside|those)$/, 'what it does, or is'],
]
