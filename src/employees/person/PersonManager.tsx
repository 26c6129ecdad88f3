import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { PickField } from '#ui/PickField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

const ManagerFields = z.object({ manager_id: z.uuid('Choose somebody from the list') })

/** The manager who approves for this person where a step of the policy asks for the manager. */
export function PersonManager({ person_id }: { person_id: string }) {
  const found = useRead(api.employees.manager, { id: person_id })
  const remove = useWrite(api.employees.set_manager, 'Manager removed')
  const [choosing, setChoosing] = useState(false)
  return (
    <Card title="Manager">
      {found ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          <p className="min-w-0 flex-1 basis-40 wrap-anywhere">
            {found.manager ? (
              <>
                <bdi className="font-medium">{found.manager.name}</bdi>
                <span className="block text-ui text-soft">{found.manager.note}</span>
              </>
            ) : (
              <span className="text-soft">None entered</span>
            )}
            {found.approves && found.manager?.reviews === false && (
              <span className="mt-1 flex gap-1.5 text-ui text-accent-ink">
                <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
                Does not have the Reviewer right, so another reviewer decides instead
              </span>
            )}
          </p>
          <div className="flex gap-2">
            <Button
              size="small"
              unless={found.refusals.set_manager}
              onClick={() => setChoosing(true)}
            >
              {found.manager ? 'Change' : 'Choose'}
            </Button>
            {found.manager && (
              <Button
                size="small"
                variant="quiet"
                loading={remove.pending}
                unless={found.refusals.set_manager}
                onClick={() => remove({ id: person_id, manager_id: null })}
              >
                Remove
              </Button>
            )}
          </div>
        </div>
      ) : (
        <Skeleton className="h-9 w-full" />
      )}
      {choosing && <Choose person_id={person_id} onClose={() => setChoosing(false)} />}
    </Card>
  )
}

function Choose({ person_id, onClose }: { person_id: string; onClose: () => void }) {
  const set = useWrite(api.employees.set_manager, 'Manager saved')
  return (
    <Dialog
      open
      onClose={onClose}
      title="Choose the manager"
      description={
        'Where a step of the policy asks for the manager, they are asked, if they have the right ' +
        'Reviewer. Nobody can decide on a claim of their own manager.'
      }
    >
      <Form
        name={`manager-${person_id}`}
        shape={ManagerFields}
        onSubmit={async ({ manager_id }) => {
          await set.submit({ id: person_id, manager_id })
          onClose()
        }}
      >
        <PickField
          name="manager_id"
          label="Manager"
          find={api.employees.managers}
          placeholder="Type to find somebody"
          required
        />
        <FormButtons onCancel={onClose} waiting="Saving...">
          Save manager
        </FormButtons>
      </Form>
    </Dialog>
  )
}
