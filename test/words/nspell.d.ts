declare module 'nspell' {
  type Spell = { correct: (word: string) => boolean; add: (word: string) => Spell }
  export default function nspell(aff: Buffer, dic: Buffer): Spell
}
