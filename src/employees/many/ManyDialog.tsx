import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { Day } from '#lib/days.ts'
import { paths } from '#paths.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateField } from '#ui/DateField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { count, counted } from '#ui/figures.ts'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { Department } from '../employees.contract.ts'
import type { PeopleSelection } from './many.contract.ts'

export type ManyAct = 'department' | 'group' | 'invite' | 'leave'
type Props = { who: string; people: PeopleSelection; onClose: () => void; onDone: () => void }

export function ManyDialog({ act, ...props }: Omit<Props, 'who'> & { act: ManyAct }) {
  const ActDialog = dialogs[act]
  return <ActDialog {...props} who={useWho(props.people)} />
}

/** The selected people, in words. */
function useWho({ person_ids, ...filter }: PeopleSelection) {
  const found = useRead(api.employees.list, person_ids ? undefined : { ...filter, limit: 1 })
  if (person_ids) return counted(person_ids.length, 'selected person', 'selected people')
  const total = found?.total ?? null
  return total === null ? 'everybody in this list' : `all ${count(total)} people in this list`
}

/** Compares first: the next page shows the changes, and applies them. */
function useCompare({ people, onDone }: Props) {
  const navigate = useNavigate()
  const compare = useWrite(lazy_api.many.compare)
  return async (becomes: { left_on: string } | { department: string }) => {
    const { id } = await compare.submit({ ...people, becomes })
    onDone()
    await navigate(`${paths.people_file}?file=${id}`)
  }
}

const LastDay = z.object({ left_on: Day() })

function Leave(props: Props) {
  const compare = useCompare(props)
  return (
    <Dialog
      open
      onClose={props.onClose}
      title="Set a last day"
      description={`For ${props.who}. You see what it means for each of them before anything changes.`}
    >
      <Form name="many:leave" shape={LastDay} onSubmit={(values) => compare(values)}>
        <DateField name="left_on" label="Last day" required />
        <Buttons onClose={props.onClose}>See what changes</Buttons>
      </Form>
    </Dialog>
  )
}

const NewDepartment = z.object({ department: Department })

function Move(props: Props) {
  const compare = useCompare(props)
  return (
    <Dialog
      open
      onClose={props.onClose}
      title="Change the department"
      description={`For ${props.who}. You see who changes before anything does.`}
    >
      <Form name="many:department" shape={NewDepartment} onSubmit={(values) => compare(values)}>
        <TextField name="department" label="Department" required />
        <Buttons onClose={props.onClose}>See what changes</Buttons>
      </Form>
    </Dialog>
  )
}

const GroupForm = z.object({ group_id: z.uuid('Choose a group') })

function Gather({ who, people, onClose, onDone }: Props) {
  const groups = useRead(lazy_api.groups.list, {})
  const undo = useWrite(
    lazy_api.many.undo_put_in_group,
    ({ taken_out }) => `${counted(taken_out, 'person', 'people')} taken out again`,
  )
  const put = useWrite(
    lazy_api.many.put_in_group,
    ({ added, were_in_it, left_out }) =>
      [
        `${counted(added, 'person', 'people')} added`,
        ...(were_in_it > 0 ? [`${were_in_it} already in it`] : []),
        ...(left_out > 0 ? [`${left_out} left out: another admin has to add them`] : []),
      ].join(', '),
    ({ added, added_at }, { into_group_id }) =>
      added > 0 ? () => undo({ group_id: into_group_id, added_at }) : undefined,
  )
  const by_hand = groups?.filter(({ departments }) => departments === null)
  return (
    <Dialog open onClose={onClose} title="Add to a group" description={`For ${who}.`}>
      {!by_hand && <Skeleton className="h-10 w-full" />}
      {by_hand?.length === 0 && (
        <p className="text-sm text-soft">
          There is no group of individually picked people yet. Make one under Groups first.
        </p>
      )}
      {by_hand && by_hand.length > 0 && (
        <Form
          name="many:group"
          shape={GroupForm}
          onSubmit={async ({ group_id }) => {
            await put.submit({ ...people, into_group_id: group_id })
            onDone()
            onClose()
          }}
        >
          <SelectField
            name="group_id"
            label="Group"
            required
            placeholder="Choose a group"
            options={Object.fromEntries(by_hand.map(({ id, name }) => [id, name]))}
          />
          <Buttons onClose={onClose}>Add</Buttons>
        </Form>
      )}
    </Dialog>
  )
}

function Invite({ who, people, onClose, onDone }: Props) {
  const invite = useWrite(lazy_api.many.invite_again, ({ invited, left_out }) =>
    left_out === 0
      ? `${counted(invited, 'invitation')} sent`
      : `${counted(invited, 'invitation')} sent, ${counted(left_out, 'person', 'people')} left out`,
  )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Resend invitations?"
      description={`To ${who}, but only those who have not signed in yet and had no invitation within a day.`}
      does="Resend"
      act={async () => {
        await invite.submit(people)
        onDone()
      }}
    />
  )
}

const Buttons = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <div className="flex flex-wrap justify-end gap-2">
    <CancelButton onClick={onClose} />
    <SubmitButton>{children}</SubmitButton>
  </div>
)

const dialogs = { department: Move, group: Gather, invite: Invite, leave: Leave }
