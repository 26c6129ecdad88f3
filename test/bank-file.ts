// A bank's file as the bank reads it: parsed as XML, then held against the message's schema (ISO 20022
// pain.001.001.09) and the rules of the SEPA credit transfer; or, of another currency, of one that is none.
import assert from 'node:assert/strict'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { decimalsOf } from '#lib/currencies.ts'
import { holdsAsIban } from '#payouts/iban.ts'

/** Its children as the schema orders them: how many at least and at most, and what each may hold. */
type ElementRule = [name: string, least: number, most: number, content: ElementContent]
type ElementContent = RegExp | ElementRule[]

const any = Number.POSITIVE_INFINITY
const letters = String.raw`[A-Za-z0-9/\-?:().,'+ ]`
const text = (most: number) => new RegExp(`^(?! )${letters}{1,${most}}(?<! )$`)
// A reference neither begins nor ends with a slash, nor has two in a row (EPC132-08).
const reference = new RegExp(`^(?!/)(?!.*//)${letters}{1,35}(?<!/)$`)
/** A number with exactly the decimals of its currency. */
const decimal = (whole: string, currency: string) => {
  const digits = decimalsOf(currency)
  return new RegExp(String.raw`^${whole}${digits ? String.raw`\.\d{${digits}}` : ''}$`)
}
const amount = (currency: string) =>
  decimal(String.raw`(0|[1-9]\d{0,${currency === 'EUR' ? 8 : 12}})`, currency)
const number_of = /^[1-9]\d{0,14}$/
const day = /^\d{4}-\d\d-\d\d$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const sum = (currency: string) => decimal(String.raw`\d{1,15}`, currency)

const party: ElementRule[] = [['Nm', 1, 1, text(70)]]
const iban: ElementRule[] = [['IBAN', 1, 1, /^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/]]
const transfer = (currency: string): ElementRule[] => [
  ['PmtId', 1, 1, [['EndToEndId', 1, 1, reference]]],
  ['Amt', 1, 1, [['InstdAmt', 1, 1, amount(currency)]]],
  ['CdtrAgt', 0, 1, [['FinInstnId', 1, 1, [['BICFI', 1, 1, /^[A-Z0-9]{8,11}$/]]]]],
  ['Cdtr', 1, 1, party],
  ['CdtrAcct', 1, 1, [['Id', 1, 1, iban]]],
  ['RmtInf', 0, 1, [['Ustrd', 1, 1, text(140)]]],
]
const sepa: ElementRule[] = [['SvcLvl', 1, 1, [['Cd', 1, 1, /^SEPA$/]]]]
// A bank without a BIC, which SEPA transfers no longer need; a Swiss bank has its number.
const other: ElementRule[] = [['Id', 1, 1, /^NOTPROVIDED$/]]
const clearing: ElementRule[] = [
  ['ClrSysId', 1, 1, [['Cd', 1, 1, /^CHBCC$/]]],
  ['MmbId', 1, 1, /^\d{5}$/],
]
const payment = (currency: string, swiss: boolean): ElementRule[] => [
  ['PmtInfId', 1, 1, reference],
  ['PmtMtd', 1, 1, /^TRF$/],
  ['BtchBookg', 0, 1, /^(true|false)$/],
  ['NbOfTxs', 1, 1, number_of],
  ['CtrlSum', 1, 1, sum(currency)],
  ...(currency === 'EUR' ? [['PmtTpInf', 1, 1, sepa] satisfies ElementRule] : []),
  ['ReqdExctnDt', 1, 1, [['Dt', 1, 1, day]]],
  ['Dbtr', 1, 1, party],
  [
    'DbtrAcct',
    1,
    1,
    [
      ['Id', 1, 1, iban],
      ['Ccy', 0, 1, new RegExp(`^${currency}$`)],
    ],
  ],
  [
    'DbtrAgt',
    1,
    1,
    [['FinInstnId', 1, 1, [swiss ? ['ClrSysMmbId', 1, 1, clearing] : ['Othr', 1, 1, other]]]],
  ],
  ['ChrgBr', 1, 1, currency === 'EUR' ? /^SLEV$/ : /^SHAR$/],
  ['CdtTrfTxInf', 1, any, transfer(currency)],
]
const header = (currency: string): ElementRule[] => [
  ['MsgId', 1, 1, reference],
  ['CreDtTm', 1, 1, moment],
  ['NbOfTxs', 1, 1, number_of],
  ['CtrlSum', 1, 1, sum(currency)],
  ['InitgPty', 1, 1, party],
]
const message = (currency: string, swiss: boolean): ElementRule[] => [
  ['GrpHdr', 1, 1, header(currency)],
  ['PmtInf', 1, any, payment(currency, swiss)],
]

type XmlNode = Record<string, XmlNode[]> & { ':@'?: Record<string, string>; '#text'?: string }

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  htmlEntities: true, // numeric references, too
})

const nameOf = (node: XmlNode) => Object.keys(node).find((key) => key !== ':@') ?? ''
const named = (nodes: XmlNode[], name: string) => nodes.filter((node) => nameOf(node) === name)
const textOf = (nodes: XmlNode[]) => nodes.map((node) => node['#text'] ?? '').join('')

/** The text at the end of a path. */
function at(nodes: XmlNode[], ...path: string[]): string {
  for (const name of path) nodes = named(nodes, name)[0]?.[name] ?? []
  return textOf(nodes)
}

function follows(nodes: XmlNode[], content: ElementContent, where: string) {
  if (content instanceof RegExp) {
    assert.match(textOf(nodes), content, where)
    return
  }
  const found = nodes.map(nameOf)
  const order = content.flatMap(([name]) => found.filter((one) => one === name))
  assert.deepEqual(found, order, `${where}: in the order of the schema, and nothing else`)
  for (const [name, least, most, inside] of content) {
    const ones = named(nodes, name)
    assert.ok(ones.length >= least && ones.length <= most, `${where}: ${ones.length} × ${name}`)
    for (const one of ones) follows(one[name] ?? [], inside, `${where}/${name}`)
  }
}

const centsOf = (currency: string) => (written: string) =>
  Math.round(Number(written) * 10 ** decimalsOf(currency))

/** The payments of a bank file; fails where a bank would refuse it. */
export function readBankFile(xml: string, currency = 'EUR') {
  const cents = centsOf(currency)
  assert.equal(XMLValidator.validate(xml), true, 'well-formed')
  const top = (parser.parse(xml) as XmlNode[]).filter((node) => nameOf(node) !== '?xml')
  assert.equal(top.length, 1)
  const { Document: document = [], ':@': attributes } = top[0] ?? {}
  assert.deepEqual(attributes, { xmlns: 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09' })
  const swiss = currency !== 'EUR' && /<DbtrAcct><Id><IBAN>(CH|LI)/.test(xml)
  follows(document, [['CstmrCdtTrfInitn', 1, 1, message(currency, swiss)]], 'Document')
  const whole = document[0]?.['CstmrCdtTrfInitn'] ?? []
  const group = named(whole, 'GrpHdr')[0]?.['GrpHdr'] ?? []
  const [block = []] = named(whole, 'PmtInf').map((node) => node['PmtInf'] ?? [])
  const transfers = named(block, 'CdtTrfTxInf').map((node) => node['CdtTrfTxInf'] ?? [])
  const payments = transfers.map((one) => {
    const amounts = named(one, 'Amt')[0]?.['Amt'] ?? []
    assert.deepEqual(amounts[0]?.[':@'], { Ccy: currency })
    return {
      id: at(one, 'PmtId', 'EndToEndId'),
      holder: at(one, 'Cdtr', 'Nm'),
      iban: at(one, 'CdtrAcct', 'Id', 'IBAN'),
      cents: cents(at(one, 'Amt', 'InstdAmt')),
      purpose: at(one, 'RmtInf', 'Ustrd'),
    }
  })
  const debtor = { holder: at(block, 'Dbtr', 'Nm'), iban: at(block, 'DbtrAcct', 'Id', 'IBAN') }
  const total = payments.reduce((so_far, one) => so_far + one.cents, 0)
  for (const part of [group, block]) {
    assert.equal(Number(at(part, 'NbOfTxs')), payments.length, 'as many as it says')
    assert.equal(cents(at(part, 'CtrlSum')), total, 'its control sum')
  }
  assert.equal(new Set(payments.map(({ id }) => id)).size, payments.length, 'each one of a kind')
  for (const account of [debtor, ...payments]) assert.ok(holdsAsIban(account.iban), account.iban)
  return { message: at(group, 'MsgId'), pay_on: at(block, 'ReqdExctnDt', 'Dt'), debtor, payments }
}
