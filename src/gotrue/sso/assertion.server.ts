// An assertion whose signature was proven, read to its parts: what the library does not look at stands here.
import { XMLParser } from 'fast-xml-parser'

type Node = Record<string, unknown>

const several = [
  'SubjectConfirmation',
  'AuthnStatement',
  'AttributeStatement',
  'Attribute',
  'AttributeValue',
]

// Comments are left out, and what stands on both sides of one is one text again. Entities are the five of XML: what
// declares others is refused before.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name) => several.includes(name),
})

export const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'object' && value !== null ? (value as Node)['#text'] : value
  return typeof text === 'string' && text.trim() ? text.trim() : undefined
}
const listOf = (value: unknown) => (Array.isArray(value) ? value : []) as Node[]
const momentOf = (value: unknown) => Date.parse(textOf(value) ?? '')

export function assertionIn(xml: string) {
  const { Assertion: assertion = {} } = parser.parse(xml) as { Assertion?: Node }
  const subject = (assertion['Subject'] ?? {}) as Node
  const statements = listOf(assertion['AuthnStatement'])
  const proven_at = momentOf(statements[0]?.['@AuthnInstant'])
  const contexts = statements.flatMap((one) => {
    const context = (one['AuthnContext'] ?? {}) as Node
    return textOf(context['AuthnContextClassRef']) ?? []
  })
  const attributes: Record<string, string[]> = {}
  for (const one of listOf(assertion['AttributeStatement']).flatMap((all) =>
    listOf(all['Attribute']),
  )) {
    const values = listOf(one['AttributeValue']).flatMap((value) => textOf(value) ?? [])
    if (values.length > 0) attributes[String(one['@Name'])] = values.slice(0, 200)
  }
  return {
    id: String(assertion['@ID']),
    issuer: textOf(assertion['Issuer']),
    subject: textOf(subject['NameID']) ?? '',
    confirmations: listOf(subject['SubjectConfirmation'])
      .filter((one) => one['@Method'] === 'urn:oasis:names:tc:SAML:2.0:cm:bearer')
      .map((one) => (one['SubjectConfirmationData'] ?? {}) as Node)
      .map((data) => ({
        recipient: textOf(data['@Recipient']),
        in_response_to: textOf(data['@InResponseTo']),
        not_on_or_after: momentOf(data['@NotOnOrAfter']),
      })),
    session_index: textOf(statements[0]?.['@SessionIndex']),
    proven_at: Number.isNaN(proven_at) ? undefined : new Date(proven_at),
    contexts,
    attributes,
  }
}
