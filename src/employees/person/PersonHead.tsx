import { Avatar } from '#ui/Avatar.tsx'
import { DateText } from '#ui/DateText.tsx'
import { initialsOf } from '#ui/initials.ts'
import { problems } from '#problems.ts'
import { CorrectAddress } from '#employees/joining/CorrectAddress.tsx'
import type { EmployeeDetail } from '#employees/employees.contract.ts'
import { AccountStateBadge } from '#employees/AccountStateBadge.tsx'

/** The person, whose name stands above as the title, and the state of their account. */
export const PersonHead = ({ employee }: { employee: EmployeeDetail }) => (
  <div className="flex items-center gap-3">
    <Avatar large initials={initialsOf(employee.full_name)} />
    {employee.erased_at ? <Erased at={employee.erased_at} /> : <Account employee={employee} />}
  </div>
)

const Erased = ({ at }: { at: string }) => (
  <div className="min-w-0 flex-1 text-sm">
    <p>
      Erased <DateText value={at} />
    </p>
    <p className="mt-1.5 text-ui text-soft">{problems.person_erased[1]}</p>
  </div>
)

const Account = ({ employee }: { employee: EmployeeDetail }) => (
  <div className="min-w-0 flex-1 text-sm">
    {employee.department && <p className="wrap-anywhere">{employee.department}</p>}
    <p className="mt-0.5 flex flex-wrap items-center gap-x-2 wrap-anywhere text-soft">
      {employee.email}
      {employee.never_came && <CorrectAddress employee={employee} />}
    </p>
    <p className="mt-1.5">
      <AccountStateBadge {...employee} />
      {employee.account_state === 'pending' && employee.invited_at && (
        <span className="ml-2 text-ui text-soft">
          invited <DateText value={employee.invited_at} show="ago" />
        </span>
      )}
    </p>
    <p className="mt-1.5 text-ui text-soft">
      {employee.last_sign_in_at ? (
        <>
          last sign-in <DateText value={employee.last_sign_in_at} show="ago" />
        </>
      ) : (
        'has not signed in yet'
      )}
      {employee.role === 'employee' &&
        ` · ${employee.has_bank_account ? 'bank account on file' : 'no bank account yet'}`}
    </p>
  </div>
)
