import { Pencil, Plus, Trash2, TriangleAlert, UserPlus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { lazy_api } from '#api/lazy-api.ts'
import { useMay, useOpens } from '#permissions/use-may.ts'
import { paths } from '#paths.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { BackLink } from '#ui/BackLink.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Empty } from '#ui/Empty.tsx'
import { capitalise, counted } from '#ui/figures.ts'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { EditGroup } from './EditGroup.tsx'
import { GroupPeople } from './GroupPeople.tsx'
import type { Group } from './groups.contract.ts'

type GroupDialog = 'new' | { does: 'edit' | 'pick' | 'remove'; group: Group }

/** Groups of employees for whom a rule can be: by department, or picked one by one. */
export function GroupsPage() {
  const groups = useRead(lazy_api.groups.list, {})
  const may = useMay()
  const [open, setOpen] = useState<GroupDialog>()
  const close = () => setOpen(undefined)
  const add = may('groups.add') && (
    <Button variant="primary" icon={Plus} onClick={() => setOpen('new')}>
      Add group
    </Button>
  )
  return (
    <Page title="Groups" description={<Above />} actions={groups?.length ? add : null}>
      <Card flush>
        {!groups ? (
          <div className="p-5">
            <Skeleton className="h-24 w-full" />
          </div>
        ) : groups.length === 0 ? (
          <Empty icon={<UsersRound aria-hidden />} title="No groups yet" action={add}>
            A group is everybody in certain departments, or people you pick. Your company’s rules
            can apply to one group only.
          </Empty>
        ) : (
          <ul className="divide-y divide-line" aria-label="Groups">
            {groups.map((group) => (
              <GroupLine
                key={group.id}
                group={group}
                onDo={(does) => setOpen({ does, group })}
                changes={may('groups.change')}
              />
            ))}
          </ul>
        )}
      </Card>
      {open === 'new' && (
        <EditGroup onClose={close} onPick={(group) => setOpen({ does: 'pick', group })} />
      )}
      {typeof open === 'object' && <Dialogs {...open} groups={groups} onClose={close} />}
    </Page>
  )
}

function Above() {
  const may = useMay()
  return <>{may('employees.list') && <BackLink to={paths.employees}>Employees</BackLink>}</>
}

type DialogsProps = Exclude<GroupDialog, 'new'> & {
  groups: Group[] | undefined
  onClose: () => void
}

function Dialogs({ does, group, groups, onClose }: DialogsProps) {
  const now = groups?.find(({ id }) => id === group.id)
  if (does === 'edit') return <EditGroup group={group} onClose={onClose} />
  if (does === 'remove') return <RemoveGroup group={group} onClose={onClose} />
  return now ? <GroupPeople group={now} onClose={onClose} /> : null
}

type LineProps = {
  group: Group
  changes: boolean
  onDo: (does: 'edit' | 'pick' | 'remove') => void
}

function GroupLine({ group, changes, onDo }: LineProps) {
  const { id, name, departments, people, empty } = group
  const may = useMay()
  const many = counted(people, 'person', 'people')
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-ui wrap-anywhere text-soft">
          {departments ? `Department: ${departments.join(', ')}` : 'Picked one by one'}
        </p>
        {empty.length > 0 && (
          <p className="mt-1 flex gap-1.5 text-ui wrap-anywhere text-accent-ink">
            <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
            {`No current employee is in ${empty.join(', ')}. If it was renamed, choose the new name.`}
          </p>
        )}
      </div>
      {may('employees.list') ? (
        <Link
          to={`${paths.employees}?group=${id}`}
          className="figures rounded text-primary-ink hover:underline"
        >
          {many}
        </Link>
      ) : (
        <span className="figures text-soft">{many}</span>
      )}
      {changes && (
        <div className="flex items-center gap-1">
          {!departments && (
            <IconButton
              size="small"
              label={`Pick people for ${name}`}
              icon={UserPlus}
              onClick={() => onDo('pick')}
            />
          )}
          <IconButton
            size="small"
            label={`Edit ${name}`}
            icon={Pencil}
            onClick={() => onDo('edit')}
          />
          <IconButton
            size="small"
            label={`Remove ${name}`}
            icon={Trash2}
            onClick={() => onDo('remove')}
          />
        </div>
      )}
    </li>
  )
}

function RemoveGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const remove = useWrite(lazy_api.groups.remove, `${group.name} removed`)
  if (group.refusals.remove) return <StillUsed group={group} onClose={onClose} />
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${group.name}?`}
      description="Its people stay employees; only the group is removed. The audit keeps it."
      does="Remove group"
      act={() => remove.submit({ id: group.id })}
    />
  )
}

/** The rules that name the group, and where they are changed. */
function StillUsed({ group, onClose }: { group: Group; onClose: () => void }) {
  const { steps, limits, plans } = group.in_use
  const opens = useOpens()
  const policy = [
    steps.length > 0 &&
      `${steps.length === 1 ? 'step' : 'steps'} ${steps.join(', ')} of the policy`,
    limits > 0 && counted(limits, 'limit'),
  ].filter(Boolean)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${group.name} is in use`}
      description="It can be removed once nothing refers to it. An owner can change that."
    >
      <ul className="flex flex-col gap-2 text-sm">
        {policy.length > 0 && (
          <li>
            {capitalise(policy.join(' and '))}{' '}
            {opens('claim_policy') && (
              <Link className="text-primary-ink underline" to={paths.claim_policy}>
                Open Policy
              </Link>
            )}
          </li>
        )}
        {plans > 0 && (
          <li>
            {capitalise(counted(plans, 'plan'))}{' '}
            {opens('funds') && (
              <Link className="text-primary-ink underline" to={`${paths.funds}?tab=Plan`}>
                Open Plan
              </Link>
            )}
          </li>
        )}
      </ul>
    </Dialog>
  )
}
