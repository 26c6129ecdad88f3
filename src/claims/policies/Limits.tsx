import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { categoryNames } from '#categories.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { paths } from '#paths.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { limitText } from '#claims/rules/limits.ts'
import { localised } from '#claims/form/localised.ts'
import { EditLimit } from './EditLimit.tsx'
import type { PolicyLimit } from './limits.contract.ts'

type LimitDialog = 'new' | { does: 'edit' | 'remove'; limit: PolicyLimit }

/** Limits on how much, how often and how soon people claim, beside what is available to them. */
export function Limits({ currency }: { currency: string | undefined }) {
  const limits = useRead(lazy_api.limits.list, {})
  const types = useRead(api.policies.types, {})
  const groups = useRead(lazy_api.groups.list, {})
  const [open, setOpen] = useState<LimitDialog>()
  const close = () => setOpen(undefined)
  const ready = limits && types && groups && currency
  return (
    <Card
      title="Limits"
      description="On top of what people have available, for claims submitted from now on. Changes take effect immediately."
      actions={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Link to={paths.groups} className={linkStyles}>
            Groups
          </Link>
          <Link to={`${paths.audit}?table=claim_limits`} className={linkStyles}>
            History
          </Link>
          <Button
            size="small"
            icon={<Plus className="size-3.5" aria-hidden />}
            onClick={() => setOpen('new')}
          >
            Add limit
          </Button>
        </div>
      }
      flush
    >
      {!ready ? (
        <div className="p-5">
          <Skeleton className="h-12 w-full" />
        </div>
      ) : limits.length === 0 ? (
        <p className="p-5 text-sm text-soft">
          No limits: people can claim all they have available.
        </p>
      ) : (
        <ul className="divide-y divide-line" aria-label="Limits">
          {limits.map((limit) => (
            <LimitLine
              key={limit.id}
              limit={limit}
              scope={scopeName(limit, types)}
              group={groups.find(({ id }) => id === limit.group_id)?.name}
              currency={currency}
              onDo={(does) => setOpen({ does, limit })}
            />
          ))}
        </ul>
      )}
      {ready && open === 'new' && <EditLimit {...{ types, groups, currency }} onClose={close} />}
      {ready && typeof open === 'object' && open.does === 'edit' && (
        <EditLimit {...{ types, groups, currency }} limit={open.limit} onClose={close} />
      )}
      {typeof open === 'object' && open.does === 'remove' && (
        <RemoveLimit
          limit={open.limit}
          text={limitWords(open.limit, types ?? [], currency ?? 'EUR')}
          onClose={close}
        />
      )}
    </Card>
  )
}

const linkStyles = 'rounded text-ui font-medium text-primary-ink hover:underline'

type NamedTypes = readonly { id: string; name: string }[]

const scopeName = ({ type_id, category }: PolicyLimit, types: NamedTypes) =>
  types.find(({ id }) => id === type_id)?.name ??
  (category ? categoryNames[category] : 'All claims')

/** 'Eye test: once every 24 months' */
const limitWords = (limit: PolicyLimit, types: NamedTypes, currency: string) => {
  const name = scopeName(limit, types)
  return `${name}: ${localised(limitText({ ...limit, name }, { currency }))}`
}

type LineProps = {
  limit: PolicyLimit
  scope: string
  group: string | undefined
  currency: string
  onDo: (does: 'edit' | 'remove') => void
}

function LimitLine({ limit, scope, group, currency, onDo }: LineProps) {
  const text = localised(limitText({ ...limit, name: scope }, { currency }))
  return (
    <li className="flex items-center gap-x-3 px-5 py-3 text-sm">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium wrap-anywhere">{scope}</span>
        <span className="text-soft">{text}</span>
        {group && <Badge>{group}</Badge>}
      </div>
      <IconButton
        size="small"
        label={`Edit limit of ${scope}: ${text}`}
        icon={Pencil}
        onClick={() => onDo('edit')}
      />
      <IconButton
        size="small"
        label={`Remove limit of ${scope}: ${text}`}
        icon={Trash2}
        onClick={() => onDo('remove')}
      />
    </li>
  )
}

type RemoveLimitProps = { limit: PolicyLimit; text: string; onClose: () => void }

function RemoveLimit({ limit, text, onClose }: RemoveLimitProps) {
  const remove = useWrite(lazy_api.limits.remove, 'Limit removed')
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Remove this limit?"
      description={`${text}. It no longer counts for claims that are submitted from now on. The audit keeps it.`}
      does="Remove limit"
      act={() => remove.submit({ id: limit.id })}
    />
  )
}
