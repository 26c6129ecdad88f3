// Notes of HR about a person, for the other admins of the company.
import { z } from 'zod'
import { del, get, post } from '#lib/contract.ts'

export type PersonNote = z.infer<typeof PersonNote>
export const PersonNote = z.object({
  id: z.uuid(),
  text: z.string(),
  /** Null if its author's account is gone. */
  written_by_name: z.string().nullable(),
  written_at: z.iso.datetime(),
})

const OfPerson = z.object({ id: z.uuid() })
export const NoteText = z
  .string()
  .trim()
  .min(1, 'Write a note first')
  .max(2000, 'A note has at most 2,000 characters')

export const notes = {
  /** The latest two hundred, newest first. */
  notes: get('/employees/:id/notes', OfPerson, PersonNote.array()),
  add_note: post('/employees/:id/notes', OfPerson.extend({ text: NoteText }), PersonNote.array()),
  remove_note: del(
    '/employees/:id/notes/:note_id',
    OfPerson.extend({ note_id: z.uuid() }),
    PersonNote.array(),
  ),
}
