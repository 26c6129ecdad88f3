import { z } from 'zod'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { views_api } from '#api/views-api.ts'
import { ViewName, type Filters, type SavedView, type ViewPage } from './views.contract.ts'

const ViewFields = z.object({ name: ViewName })

type Props = {
  open: boolean
  page: ViewPage
  filters: Filters
  /** The one that is renamed; without it a new one is saved. */
  view?: SavedView
  onClose: () => void
  onDone?: (view: SavedView) => void
}

export function NameView({ open, page, filters, view, onClose, onDone }: Props) {
  const save = useWrite(views_api.save, 'View saved')
  const change = useWrite(views_api.change, 'View renamed')
  const submit = async ({ name }: { name: string }) => {
    const input = { page, name, filters }
    const done = view
      ? await change.submit({ ...input, id: view.id, version: view.version, shared: view.shared })
      : await save.submit(input)
    onClose()
    onDone?.(done)
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={view ? 'Rename view' : 'Save view'}
      {...(view
        ? {}
        : { description: 'It keeps the filters, the search and the order of this list.' })}
    >
      <Form
        name={view ? `view-${view.id}` : `view-of-${page}`}
        shape={ViewFields}
        defaults={{ name: view?.name ?? '' }}
        onSubmit={submit}
      >
        <TextField name="name" label="Name" autoComplete="off" />
        <FormButtons waiting="Saving...">{view ? 'Rename' : 'Save view'}</FormButtons>
      </Form>
    </Dialog>
  )
}
