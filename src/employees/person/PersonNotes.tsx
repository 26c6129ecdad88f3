import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { IconButton } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextAreaField } from '#ui/TextField.tsx'
import { NoteText, type PersonNote } from './notes.contract.ts'

const NoteFields = z.object({ text: NoteText })

/** Notes of HR about a person, for the other admins. */
export function PersonNotes({ person_id }: { person_id: string }) {
  const notes = useRead(api.employees.notes, { id: person_id })
  const add = useWrite(api.employees.add_note, 'Note added')
  const [removing, setRemoving] = useState<PersonNote>()
  return (
    <Card
      title="Notes"
      description={
        'Your company’s admins read these. The person gets them with an export of their data. ' +
        'Nothing about health belongs here.'
      }
    >
      <Form
        resets
        name={`note-${person_id}`}
        shape={NoteFields}
        defaults={{ text: '' }}
        onSubmit={({ text }) => add.submit({ id: person_id, text }).then(() => undefined)}
      >
        <TextAreaField name="text" label="New note" rows={3} />
        <FormButtons waiting="Saving...">Add note</FormButtons>
      </Form>
      {!notes && <Skeleton className="mt-4 h-12 w-full" />}
      <ul className="mt-2 divide-y divide-line" aria-label="Notes">
        {notes?.map((note) => (
          <li key={note.id} className="flex items-start gap-2 py-3 text-sm">
            <div className="min-w-0 flex-1">
              <p className="wrap-anywhere whitespace-pre-line" dir="auto">
                {note.text}
              </p>
              <p className="mt-1 text-ui text-soft">
                {note.written_by_name ?? 'A former admin'}
                {' · '}
                <DateText value={note.written_at} show="moment" />
              </p>
            </div>
            <IconButton
              size="small"
              label="Remove note"
              icon={Trash2}
              onClick={() => setRemoving(note)}
            />
          </li>
        ))}
      </ul>
      <RemoveNote person_id={person_id} note={removing} onClose={() => setRemoving(undefined)} />
    </Card>
  )
}

type RemoveProps = { person_id: string; note: PersonNote | undefined; onClose: () => void }

function RemoveNote({ person_id, note, onClose }: RemoveProps) {
  const remove = useWrite(api.employees.remove_note, 'Note removed')
  return (
    <ConfirmDialog
      open={Boolean(note)}
      onClose={onClose}
      title="Remove this note?"
      description="It is deleted for all admins. The audit keeps that there was one, but not what it said."
      does="Remove note"
      act={async () => note && remove.submit({ id: person_id, note_id: note.id })}
    />
  )
}
