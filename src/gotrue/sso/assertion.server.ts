// An assertion whose signature was proven, read to its parts: what the library does not look at stands here.
import { XMLParser } from 'fast-xml-parser'
import { notTaken, type ProviderIdentity } from './codes.server.ts'

type XmlNode = Record<string, unknown>

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
  const text = typeof value === 'object' && value !== null ? (value as XmlNode)['#text'] : value
  return typeof text === 'string' && text.trim() ? text.trim() : undefined
}
const listOf = (value: unknown) => (Array.isArray(value) ? value : []) as XmlNode[]
const momentOf = (value: unknown) => Date.parse(textOf(value) ?? '')

export function assertionIn(xml: string) {
  const { Assertion: assertion = {} } = parser.parse(xml) as { Assertion?: XmlNode }
  const subject = (assertion['Subject'] ?? {}) as XmlNode
  const statements = listOf(assertion['AuthnStatement'])
  const proven_at = momentOf(statements[0]?.['@AuthnInstant'])
  const contexts = statements.flatMap((one) => {
    const context = (one['AuthnContext'] ?? {}) as XmlNode
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
      .map((one) => (one['SubjectConfirmationData'] ?? {}) as XmlNode)
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

const methods_references = 'http://schemas.microsoft.com/claims/authnmethodsreferences'
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const addresses_in = [
  'email',
  'mail',
  'emailAddress',
  `${claims}/emailaddress`,
  'urn:oid:0.9.2342.19200300.100.1.3',
  `${claims}/name`,
]
const names_in = ['name', 'displayName', 'http://schemas.microsoft.com/identity/claims/displayname']

/** The person in the assertion; their address under one of the names that providers have for it. */
export function readAssertion(
  assertion: ReturnType<typeof assertionIn>,
): ProviderIdentity & { id: string } {
  const { id, issuer, subject, attributes, contexts } = assertion
  const named = addresses_in.map((name) => attributes[name]?.[0])
  const email = [...named, subject].find((value) => value?.includes('@'))
  if (!email || !subject || !issuer) throw notTaken('no email address')
  return {
    id,
    subject,
    sid: assertion.session_index ?? null,
    email,
    full_name: names_in.map((name) => attributes[name]?.[0]).find(Boolean),
    issuer,
    proven_at: assertion.proven_at,
    proofs: [...contexts, ...(attributes[methods_references] ?? [])],
    attributes,
  }
}
