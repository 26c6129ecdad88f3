import { Eye, EyeOff, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { Category, categoryNames } from '#categories.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { counted } from '#ui/figures.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { CategoryLabel } from '#claims/ClaimBadges.tsx'
import { policies, type ClaimType } from './policies.contract.ts'

type Type = z.infer<typeof ClaimType>
type EditedType = { category: Category; type?: Type }

/** The types that people can choose, by category. A hidden type stays on the claims that have it. */
export function ClaimTypes() {
  const types = useRead(api.policies.types, {})
  const [editing, setEditing] = useState<EditedType>()
  return (
    <Card
      title="Claim types"
      description="The types people choose from. Hidden types stay on their claims. Changes here take effect immediately."
      flush
    >
      <div className="grid divide-line max-lg:divide-y lg:grid-cols-3 lg:divide-x">
        {Category.options.map((category) => (
          <div key={category} className="min-w-0 p-5">
            <div className="mb-2 flex items-center justify-between gap-3">
              <h3 className="text-sm font-semibold">
                <CategoryLabel category={category} />
              </h3>
              <Button
                size="small"
                icon={<Plus className="size-3.5" aria-hidden />}
                aria-label={`Add a type to ${categoryNames[category]}`}
                onClick={() => setEditing({ category })}
              >
                Add
              </Button>
            </div>
            <ul className="divide-y divide-line">
              {types
                ? types
                    .filter((type) => type.category === category)
                    .map((type) => (
                      <TypeLine
                        key={type.id}
                        type={type}
                        onRename={() => setEditing({ category, type })}
                      />
                    ))
                : [1, 2, 3, 4].map((row) => (
                    <li key={row} className="py-2.5">
                      <Skeleton className="h-4 w-40" />
                    </li>
                  ))}
            </ul>
          </div>
        ))}
      </div>
      {editing && <EditType {...editing} onClose={() => setEditing(undefined)} />}
    </Card>
  )
}

function TypeLine({ type, onRename }: { type: Type; onRename: () => void }) {
  const { id, name, active, claims } = type
  const doneText = (done: { active: boolean; name: string }) =>
    done.active ? `${done.name} can be chosen again` : `${done.name} is hidden`
  const back = useWrite(api.policies.change_type, doneText)
  const change = useWrite(
    api.policies.change_type,
    doneText,
    (done) => () => back({ id, active: !done.active }),
  )
  return (
    <li className="flex min-h-11 items-center gap-1 py-1 text-sm">
      <span className="min-w-0 flex-1">
        <span className={active ? 'wrap-anywhere' : 'wrap-anywhere text-faint'}>{name}</span>
        {claims > 0 && (
          <span className="figures ml-2 text-ui whitespace-nowrap text-faint">
            {counted(claims, 'claim')}
          </span>
        )}
      </span>
      {!active && <Badge>Hidden</Badge>}
      <IconButton
        size="small"
        label={`Rename ${name}`}
        icon={<Pencil className="size-3.5" aria-hidden />}
        onClick={onRename}
      />
      <IconButton
        size="small"
        label={active ? `Hide ${name}` : `Show ${name}`}
        loading={change.pending}
        icon={
          active ? (
            <EyeOff className="size-3.5" aria-hidden />
          ) : (
            <Eye className="size-3.5" aria-hidden />
          )
        }
        onClick={() => change({ id, active: !active })}
      />
    </li>
  )
}

const TypeForm = z.object({ name: policies.add_type.input.shape.name })

function EditType({ category, type, onClose }: EditedType & { onClose: () => void }) {
  const add = useWrite(api.policies.add_type, ({ name }) => `${name} added`)
  const rename = useWrite(api.policies.change_type, ({ name }) => `Renamed to ${name}`)
  return (
    <Dialog
      open
      onClose={onClose}
      title={type ? `Rename ${type.name}` : `Add a type to ${categoryNames[category]}`}
      {...(type && type.claims > 0
        ? { description: 'Claims of this type show the new name, too.' }
        : {})}
    >
      <Form
        name={`claim-type:${type?.id ?? category}`}
        shape={TypeForm}
        defaults={type ? { name: type.name } : {}}
        onSubmit={async ({ name }) => {
          if (type) await rename.submit({ id: type.id, name })
          else await add.submit({ category, name })
          onClose()
        }}
      >
        <TextField name="name" label="Name" required />
        <FormButtons onCancel={onClose}>{type ? 'Rename' : 'Add'}</FormButtons>
      </Form>
    </Dialog>
  )
}
