// A real SAML provider (samlify) beside the product: it reads our metadata and our signed requests, and signs and
// encrypts its answers; and the tools of somebody who bends them.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as samlify from 'samlify'
import { newCertificate } from '#gotrue/sso/certificate.server.ts'

// Schemas are a Java program's; what matters is signed.
samlify.setSchemaValidator({ validate: async () => 'skipped' })

export type Bent = {
  name_id?: string
  attributes?: Record<string, string>
  audience?: string
  recipient?: string
  in_response_to?: string
  issuer?: string
  context?: string
  /** Minutes from now: since when, and until when, it holds. */
  from?: number
  until?: number
  /** When they proved it there. */
  proven?: number
  id?: string
}

const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString()
const bare = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, '')

export async function openSaml() {
  const keys = await newCertificate('A provider')
  const state: { answer: Bent; encrypted: boolean; metadata: string } = {
    answer: {},
    encrypted: false,
    metadata: '',
  }
  const server = createServer((request, answer) => {
    void (async () => {
      const url = new URL(request.url!, issuer)
      const form = await answerTo(url.searchParams)
      answer.setHeader('content-type', 'text/html')
      answer.end(
        `<title>Provider</title><form method="post" action="${form.action}">
          <input type="hidden" name="SAMLResponse" value="${form.SAMLResponse}">
          <input type="hidden" name="RelayState" value="${form.RelayState}">
          <button>Sign in there</button></form>`,
      )
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const attributes = ['email', 'displayName', 'groups'].map((name) => ({
    name,
    valueTag: name,
    nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
    valueXsiType: 'xs:string',
  }))
  const idpOf = (isAssertionEncrypted: boolean) =>
    samlify.IdentityProvider({
      entityID: issuer,
      privateKey: keys.private_key,
      signingCert: keys.certificate,
      isAssertionEncrypted,
      wantAuthnRequestsSigned: true,
      messageSigningOrder: 'sign-then-encrypt',
      nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
      singleSignOnService: [
        {
          Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
          Location: `${issuer}/sso`,
        },
      ],
      singleLogoutService: [
        {
          Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
          Location: `${issuer}/slo`,
        },
      ],
      loginResponseTemplate: { context: template, attributes },
    })
  const sp = () =>
    samlify.ServiceProvider({ metadata: state.metadata, wantLogoutRequestSigned: true })

  /** Reads our request as a provider does: its signature by the certificate in our metadata. */
  async function answerTo(query: URLSearchParams, bent = state.answer) {
    const idp = idpOf(state.encrypted)
    const octetString = [...query].filter(([name]) => name !== 'Signature')
    const request = await idp.parseLoginRequest(sp(), 'redirect', {
      query: Object.fromEntries(query),
      octetString: new URLSearchParams(octetString).toString(),
    })
    const { id } = request.extract.request as { id: string }
    const fill = (text: string) => {
      const assertion_id = bent.id ?? `_${crypto.randomUUID()}`
      const action = sp().entityMeta.getAssertionConsumerService('post') as string
      const values = {
        ID: `_${crypto.randomUUID()}`,
        AssertionID: assertion_id,
        Destination: action,
        AssertionConsumerServiceURL: action,
        Issuer: bent.issuer ?? issuer,
        Audience: bent.audience ?? sp().entityMeta.getEntityID(),
        SubjectRecipient: bent.recipient ?? action,
        InResponseTo: bent.in_response_to ?? id,
        NameID: bent.name_id ?? 'sub-nobody',
        NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        IssueInstant: minutes(0),
        AuthnInstant: minutes(bent.proven ?? 0),
        ConditionsNotBefore: minutes(bent.from ?? -1),
        ConditionsNotOnOrAfter: minutes(bent.until ?? 5),
        SubjectConfirmationDataNotOnOrAfter: minutes(bent.until ?? 5),
        StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
        AuthnContext: bent.context ?? 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password',
        attrEmail: bent.attributes?.['email'] ?? '',
        attrDisplayName: bent.attributes?.['displayName'] ?? '',
        attrGroups: bent.attributes?.['groups'] ?? '',
      }
      return { id: values.ID, context: samlify.SamlLib.replaceTagsByValue(text, values) }
    }
    const made = (await idp.createLoginResponse(
      sp(),
      { extract: { request: { id } } },
      'post',
      {},
      fill,
    )) as { context: string }
    return {
      SAMLResponse: made.context,
      RelayState: query.get('RelayState') ?? '',
      action: sp().entityMeta.getAssertionConsumerService('post') as string,
    }
  }
  return {
    issuer,
    state,
    certificate: keys.certificate,
    metadata: idpOf(false).getMetadata(),
    /** Where the address of a sign-in leads, pressed. */
    press: (address: string, bent?: Bent) => answerTo(new URL(address).searchParams, bent),
    /** A signed request to sign somebody out, as an address. */
    signOut: (name_id: string, session_index: string) =>
      (
        idpOf(false).createLogoutRequest(sp(), 'redirect', {
          logoutNameID: name_id,
          sessionIndex: session_index,
        }) as { context: string }
      ).context,
    bare: bare(keys.certificate),
    close: () => server.close(),
  }
}

const template =
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ' +
  'ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}">' +
  '<saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="{StatusCode}"/></samlp:Status>' +
  '<saml:Assertion xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" ' +
  'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}">' +
  '<saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{NameIDFormat}">{NameID}</saml:NameID>' +
  '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData ' +
  'NotOnOrAfter="{SubjectConfirmationDataNotOnOrAfter}" Recipient="{SubjectRecipient}" InResponseTo="{InResponseTo}"/>' +
  '</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{ConditionsNotBefore}" ' +
  'NotOnOrAfter="{ConditionsNotOnOrAfter}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience>' +
  '</saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{AuthnInstant}" SessionIndex="s-1">' +
  '<saml:AuthnContext><saml:AuthnContextClassRef>{AuthnContext}</saml:AuthnContextClassRef></saml:AuthnContext>' +
  '</saml:AuthnStatement>{AttributeStatement}</saml:Assertion></samlp:Response>'
