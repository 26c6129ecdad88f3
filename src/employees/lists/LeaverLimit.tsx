import { useState } from 'react'
import { z } from 'zod'
import { Reading } from '#employees/imports/imports.contract.ts'
import { useMay } from '#permissions/use-may.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { numberText } from '#ui/whole-number.ts'

const Limit = z.object({ leave_percent: numberText(Reading.shape.leave_percent) })

/** The percent of a company’s people whose employment a file may end without a second admin. */
export function LeaverLimit() {
  const reading = useRead(lazy_api.imports.reading, {})
  const may = useMay()
  const [changing, setChanging] = useState(false)
  return (
    <Card
      title="Limit on leavers"
      actions={
        may('imports.set_leaver_limit') && (
          <Button size="small" disabled={!reading} onClick={() => setChanging(true)}>
            Change
          </Button>
        )
      }
    >
      {reading ? (
        <p className="text-sm">
          {`In 24 hours, employee files can end employment for ${reading.leave_percent_now}% of your people at most. `}
          Beyond that a second admin is needed.
          {reading.leave_percent !== reading.leave_percent_now &&
            ` ${reading.leave_percent}% takes effect a day after it was set.`}
        </p>
      ) : (
        <Skeleton className="h-5 w-72" />
      )}
      {reading && (
        <ChangeLimit
          percent={reading.leave_percent}
          percent_now={reading.leave_percent_now}
          open={changing}
          onClose={() => setChanging(false)}
        />
      )}
    </Card>
  )
}

type ChangeProps = { percent: number; percent_now: number; open: boolean; onClose: () => void }

function ChangeLimit({ percent, percent_now, open, onClose }: ChangeProps) {
  const change = useWrite(lazy_api.imports.set_leaver_limit, 'Limit saved')
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Limit on leavers"
      description="A lower limit takes effect at once, a higher one after a day. Your company’s other admins are notified."
    >
      <ProvenForm
        name="leaver-limit"
        shape={Limit}
        defaults={{ leave_percent: String(percent) }}
        proves={({ leave_percent }) => Number(leave_percent) > percent_now}
        onSubmit={async ({ leave_percent }) => {
          await change.submit({ leave_percent })
          onClose()
        }}
      >
        <TextField name="leave_percent" label="Percent of employees" inputMode="numeric" required />
        <OwnPassword />
        <FormButtons onCancel={onClose} waiting="Saving...">
          Save
        </FormButtons>
      </ProvenForm>
    </Dialog>
  )
}
