// A run as the bank reads it, ISO 20022 pain.001.001.09: euros as SEPA credit transfers, other currencies without SEPA's service
// level and its rule on charges.
import { decimal } from '#lib/money.ts'

type BankFile = {
  run_id: number
  /**
   * The moment of release is in the message's id (MsgId): the same run is the same message, also without its returned payments,
   * and no bank takes it twice.
   */
  released_at: string
  pay_on: string
  currency: string
  debtor: { holder: string; iban: string }
  payments: {
    person_id: string
    holder: string
    iban: string
    cents: number
    claim_ids: readonly number[]
  }[]
}

type PaidPart = { by_bank: boolean; iban: string | null; paid_cents: number }

/** The bank has paid it, and its person has been erased since: there is no account to name. */
export const isErased = ({ by_bank, iban, paid_cents }: PaidPart) =>
  by_bank && iban === null && paid_cents > 0

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'

export function bankFile({ run_id, released_at, pay_on, currency, ...rest }: BankFile): string {
  const { debtor, payments } = rest
  const in_euros = currency === 'EUR'
  const total = decimal(
    payments.reduce((sum, { cents }) => sum + cents, 0),
    currency,
  )
  const name = sepaText(debtor.holder, 70)
  const message = `HF-${run_id}-${released_at.replace(/\D/g, '').slice(0, 14)}`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="${namespace}">`,
    '<CstmrCdtTrfInitn>',
    '<GrpHdr>',
    tag('MsgId', message),
    tag('CreDtTm', `${released_at.slice(0, 19)}Z`),
    tag('NbOfTxs', String(payments.length)),
    tag('CtrlSum', total),
    `<InitgPty>${tag('Nm', name)}</InitgPty>`,
    '</GrpHdr>',
    '<PmtInf>',
    tag('PmtInfId', message),
    tag('PmtMtd', 'TRF'),
    tag('NbOfTxs', String(payments.length)),
    tag('CtrlSum', total),
    ...(in_euros ? ['<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>'] : []),
    `<ReqdExctnDt>${tag('Dt', pay_on)}</ReqdExctnDt>`,
    `<Dbtr>${tag('Nm', name)}</Dbtr>`,
    `<DbtrAcct><Id>${tag('IBAN', debtor.iban)}</Id>${tag('Ccy', currency)}</DbtrAcct>`,
    `<DbtrAgt><FinInstnId>${bankOf(debtor.iban, in_euros)}</FinInstnId></DbtrAgt>`,
    tag('ChrgBr', in_euros ? 'SLEV' : 'SHAR'),
    ...payments.map((payment) => transfer(run_id, currency, payment)),
    '</PmtInf>',
    '</CstmrCdtTrfInitn>',
    '</Document>',
    '',
  ].join('\n')
}

/** Swiss banks have to be named outside of SEPA, by their number, which is in the IBAN. */
const bankOf = (iban: string, in_euros: boolean) =>
  /^(CH|LI)/.test(iban) && !in_euros
    ? `<ClrSysMmbId><ClrSysId><Cd>CHBCC</Cd></ClrSysId>${tag('MmbId', iban.slice(4, 9))}</ClrSysMmbId>`
    : '<Othr><Id>NOTPROVIDED</Id></Othr>'

/** The purpose names claims by their numbers alone: health is not the bank's business. */
function transfer(
  run_id: number,
  currency: string,
  { person_id, holder, iban, cents, claim_ids }: BankFile['payments'][number],
) {
  return [
    '<CdtTrfTxInf>',
    `<PmtId>${tag('EndToEndId', endToEndId(run_id, person_id))}</PmtId>`,
    `<Amt><InstdAmt Ccy="${currency}">${decimal(cents, currency)}</InstdAmt></Amt>`,
    `<Cdtr>${tag('Nm', sepaText(holder, 70))}</Cdtr>`,
    `<CdtrAcct><Id>${tag('IBAN', iban)}</Id></CdtrAcct>`,
    `<RmtInf>${tag('Ustrd', purposeOf(claim_ids))}</RmtInf>`,
    '</CdtTrfTxInf>',
  ].join('')
}

const longest_purpose = 140

/** The claims' numbers as people know them, as many as the field has room for. */
export function purposeOf(claim_ids: readonly number[]): string {
  const purposeWith = (shown: number) => {
    const more = claim_ids.length - shown
    const numbers = claim_ids.slice(0, shown).join(', ') + (more > 0 ? ` and ${more} more` : '')
    const claims = claim_ids.length > 1 ? 'claims' : 'claim'
    return claim_ids.length > 0 ? `Reimbursement, ${claims} ${numbers}` : 'Reimbursement'
  }
  let shown = claim_ids.length
  while (purposeWith(shown).length > longest_purpose) shown -= 1
  return purposeWith(shown)
}

/** A unique id within the run, by which the person is found: at most 35 characters. */
const endToEndId = (run_id: number, person_id: string) =>
  `HF${run_id}-${person_id.replaceAll('-', '').slice(0, 20)}`.slice(0, 35)

const tag = (name: string, content: string) => `<${name}>${escaped(content)}</${name}>`

const escaped = (text: string) =>
  text.replace(/[<>&'"]/g, (character) => `&#${character.codePointAt(0) ?? 63};`)

const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  œ: 'oe',
  Œ: 'OE',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '’': "'",
  '&': '+',
}

/** Greek and Cyrillic letters as passports write them. */
const other_scripts = [
  ...'αa,βv,γg,δd,εe,ζz,ηi,θth,ιi,κk,λl,μm,νn,ξx,οo,πp,ρr,σs,ςs,τt,υy,φf,χch,ψps,ωo'.split(','),
  ...'аa,бb,вv,гg,дd,еe,жzh,зz,иi,йy,кk,лl,мm,нn,оo,пp,рr,сs,тt,уu,фf,хh'.split(','),
  ...'цts,чch,шsh,щsht,ъa,ыy,ьy,эe,юyu,яya,іi,їyi,єye,ґg,јj,љlj,њnj,ћc,ђdj,џdz,ѓgj,ќkj,ѕdz'.split(
    ',',
  ),
]

for (const [small = '', ...latin] of other_scripts) {
  const [first = '', ...rest] = latin
  letters[small] = latin.join('')
  letters[small.toUpperCase()] = [first.toUpperCase(), ...rest].join('')
}

const inLatin = (text: string) => Array.from(text, (c) => letters[c] ?? c).join('')

/** The letters that every SEPA bank takes: others become their nearest, or a space. */
export function sepaText(text: string, longest: number): string {
  const whole = inLatin(text.normalize('NFC').replace(/(ο)[υύ]|(Ο)[υύΥΎ]/g, '$1$2u'))
  const plain = inLatin(whole.normalize('NFKD').replace(/\p{M}/gu, ''))
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const written = text === text.toUpperCase() ? plain.toUpperCase() : plain
  return written.slice(0, longest).trim() || 'NOTPROVIDED'
}
