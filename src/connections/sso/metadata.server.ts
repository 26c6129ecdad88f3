// An identity provider's SAML metadata: its entity id, where it signs people in and out, and its signing certificates. Entities
// are not expanded, and a document that declares any is refused.
import { X509Certificate } from 'node:crypto'
import { XMLParser } from 'fast-xml-parser'

type Metadata = {
  issuer: string
  sign_in_url: string
  sign_out_url: string | null
  certificates: string[]
}

type XmlNode = Record<string, unknown>

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name) =>
    ['KeyDescriptor', 'SingleSignOnService', 'SingleLogoutService', 'X509Certificate'].includes(
      name,
    ),
})

export function readMetadata(xml: string): Metadata | undefined {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) return undefined
  try {
    const { EntityDescriptor: entity } = parser.parse(xml) as { EntityDescriptor?: XmlNode }
    const role = entity?.['IDPSSODescriptor'] as XmlNode | undefined
    const issuer = entity?.['@entityID']
    const sign_in_url = locationIn(role?.['SingleSignOnService'])
    const certificates = listOf(role?.['KeyDescriptor']).flatMap(certificatesIn)
    if (typeof issuer !== 'string' || !sign_in_url || certificates.length === 0) return undefined
    return {
      issuer,
      sign_in_url,
      sign_out_url: locationIn(role?.['SingleLogoutService']) ?? null,
      certificates: [...new Set(certificates)].slice(0, 10),
    }
  } catch {
    return undefined
  }
}

const listOf = (value: unknown) => (Array.isArray(value) ? value : []) as XmlNode[]

/** `processEntities` leaves only this one: an address in an attribute has `&amp;`. */
const plain = (text: unknown) =>
  typeof text === 'string' ? text.trim().replaceAll('&amp;', '&') : undefined

const locationIn = (services: unknown) =>
  plain(listOf(services).find((one) => one['@Binding'] === redirect)?.['@Location'])

/** Certificates for signing, or for any use. One that can't be read is a fault of the document. */
function certificatesIn(key: XmlNode): string[] {
  if (key['@use'] === 'encryption') return []
  const data = (key['KeyInfo'] as XmlNode | undefined)?.['X509Data'] as XmlNode | undefined
  const found = (data?.['X509Certificate'] ?? []) as unknown[]
  return found.map((text) => {
    const base64 = String(text).replaceAll(/\s+/g, '')
    return new X509Certificate(Buffer.from(base64, 'base64')).toString()
  })
}
