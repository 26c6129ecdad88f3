import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { TextAreaField, TextField } from '#ui/TextField.tsx'
import { connections_api } from '../api.ts'
import { Addresses } from './Addresses.tsx'
import { NewOidc, NewSaml, type Sso } from './sso.contract.ts'
import { whileOn } from './while-on.ts'

type Props = { sso: Sso; onClose: () => void }

export function ConnectOidc({ sso: { provider, addresses }, onClose }: Props) {
  const connect = useWrite(
    connections_api.sso.connect_oidc,
    'Provider connected. It is being tested',
  )
  const had = provider?.kind === 'oidc' ? provider : undefined
  return (
    <Dialog open wide onClose={onClose} title="Connect by OpenID Connect">
      <ProvenForm
        name="connect-oidc"
        shape={NewOidc}
        defaults={had ? { issuer: had.issuer, client_id: had.client_id ?? '' } : {}}
        onSubmit={async ({ client_secret, ...input }) => {
          await connect.submit(client_secret ? { ...input, client_secret } : input)
          onClose()
        }}
      >
        <Addresses kind="oidc" addresses={addresses} />
        <TextField
          name="issuer"
          label="Issuer"
          hint="As your provider gives it, such as https://login.example.com/acme."
          autoComplete="off"
          required
        />
        <TextField
          name="client_id"
          label="Client ID"
          hint={whileOn('To change it', had)}
          autoComplete="off"
          required
        />
        <TextField
          name="client_secret"
          type="password"
          label="Client secret"
          hint={had ? 'Leave empty to keep the current one.' : 'It is never shown again.'}
          autoComplete="off"
          required={!had}
        />
        <End onClose={onClose} />
      </ProvenForm>
    </Dialog>
  )
}

export function ConnectSaml({ sso: { provider, addresses }, onClose }: Props) {
  const connect = useWrite(
    connections_api.sso.connect_saml,
    'Provider connected. It is being tested',
  )
  return (
    <Dialog open wide onClose={onClose} title="Connect by SAML">
      <ProvenForm
        name="connect-saml"
        shape={NewSaml}
        onSubmit={async ({ metadata }) => {
          await connect.submit({ metadata })
          onClose()
        }}
      >
        <Addresses kind="saml" addresses={addresses} />
        <TextAreaField
          name="metadata"
          label="Metadata of your provider"
          hint={
            'The XML document that your provider offers for download.' +
            whileOn(' To change its address or certificates', provider)
          }
          rows={8}
          required
        />
        <End onClose={onClose} />
      </ProvenForm>
    </Dialog>
  )
}

const End = ({ onClose }: { onClose: () => void }) => (
  <>
    <OwnPassword />
    <FormButtons onCancel={onClose} waiting="Connecting...">
      Connect
    </FormButtons>
  </>
)
