import { z } from 'zod'
import { Domain } from '#companies/companies.contract.ts'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { connections_api } from '../api.ts'

const DomainFields = z.object({ domain: Domain })

type Props = { onClose: () => void; onAdded: (domain: string) => void }

export function AddDomain({ onClose, onAdded }: Props) {
  const request = useWrite(connections_api.domains.request)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add a domain"
      description="Next you verify that it is your company’s."
    >
      <Form
        name="add-domain"
        shape={DomainFields}
        onSubmit={async ({ domain }) => {
          await request.submit({ domain })
          onClose()
          onAdded(domain)
        }}
      >
        <TextField
          name="domain"
          label="Domain"
          hint="The part after the @, such as acme.com."
          autoComplete="off"
          required
        />
        <FormButtons onCancel={onClose} waiting="Adding...">
          Add domain
        </FormButtons>
      </Form>
    </Dialog>
  )
}
