// The acts that open from a need: the dialogs and sheets of the pages themselves, loaded when
// the first is opened. What has none here leads to its page.
import type { ComponentType } from 'react'
import { QuickApprove } from '#claims/review/QuickApprove.tsx'
import type { Need, NeedKind } from '#notifications/needs.contract.ts'
import { useActor } from '#ui/actor.ts'
import { onDemand } from '#ui/OnDemand.tsx'
import { Spinner } from '#ui/Spinner.tsx'

type Props = { need: Need; onClose: () => void }
type Opens = {
  Act: ComponentType<Props>
  /** The dialog stays when its line is gone: there is more to do in it, such as fetching the bank's file. */
  stays?: boolean
}

/** Loaded for the first time; no dialog yet, which would take the focus from what opened it. */
const opening = (
  <div className="fixed inset-0 z-60 grid place-items-center bg-black/35 text-on-primary">
    <Spinner label="Opening" className="size-7" />
  </div>
)

const lazily = <P extends object>(load: () => Promise<ComponentType<P>>) => onDemand(load, opening)

const ClaimSheet = lazily(async () => (await import('#claims/review/ClaimSheet.tsx')).ClaimSheet)
const MyClaimSheet = lazily(async () => (await import('#claims/MyClaimSheet.tsx')).MyClaimSheet)
const MyAccountDialog = lazily(
  async () => (await import('#claims/PayoutAccount.tsx')).MyAccountDialog,
)
const RunSheet = lazily(async () => (await import('#payouts/RunSheet.tsx')).RunSheet)
const NextRunDialog = lazily(async () => (await import('#payouts/NextRun.tsx')).NextRunDialog)
const OverpaymentDialog = lazily(
  async () => (await import('#payouts/Overpayments.tsx')).OverpaymentDialog,
)
const CompanyAccountDialog = lazily(
  async () => (await import('#payouts/CompanyAccount.tsx')).CompanyAccountDialog,
)
const JoinRequestDialog = lazily(
  async () => (await import('#employees/joining/JoinRequestDialog.tsx')).JoinRequestDialog,
)
const DependentDialog = lazily(
  async () => (await import('#employees/DependentDialog.tsx')).DependentDialog,
)
const AddEmployee = lazily(async () => (await import('#employees/AddEmployee.tsx')).AddFirst)
const OneErasure = lazily(async () => (await import('#privacy/OneErasure.tsx')).OneErasure)
const Allocate = lazily(async () => (await import('#funds/AllocateNow.tsx')).AllocateNow)
const DecideAdjustment = lazily(
  async () => (await import('#funds/adjustments/DecideAdjustment.tsx')).DecideAdjustment,
)
const InviteAdmin = lazily(async () => (await import('#settings/AdminDialogs.tsx')).Invite)
const ConfirmRights = lazily(
  async () => (await import('#settings/ConfirmRights.tsx')).ConfirmRights,
)
const DataDialog = lazily(async () => (await import('#settings/MyDataCard.tsx')).DataDialog)
const ActivateCompany = lazily(
  async () => (await import('#companies/ActivateCompany.tsx')).ActivateCompany,
)
const UserSheet = lazily(async () => (await import('#users/UserSheet.tsx')).UserSheet)
const InquirySheet = lazily(async () => (await import('#inquiries/InquirySheet.tsx')).InquirySheet)

const numbered = ({ number }: Need) => number ?? 0
const subjectOf = ({ subject_id }: Need) => subject_id ?? ''

const claim: Opens = {
  Act: ({ need, onClose }) => <ClaimSheet id={numbered(need)} onClose={onClose} />,
}
const my_claim: Opens = {
  Act: ({ need, onClose }) => <MyClaimSheet id={numbered(need)} onClose={onClose} />,
}
const my_account: Opens = { Act: ({ onClose }) => <MyAccountDialog onClose={onClose} /> }
const next_run: Opens = { Act: ({ onClose }) => <NextRunDialog onClose={onClose} /> }
const join_request: Opens = {
  Act: ({ need, onClose }) => <JoinRequestDialog id={subjectOf(need)} onClose={onClose} />,
}

/** HR decides on it among its own people, the provider among all. */
function AdminRequest({ need, onClose }: Props) {
  const Act = useActor().role === 'super_admin' ? UserSheet : JoinRequestDialog
  return <Act id={subjectOf(need)} onClose={onClose} />
}

const opens: Partial<Record<NeedKind, Opens>> = {
  claim_submitted: claim,
  claim_answered: claim,
  claim_appealed: claim,
  claim_approved_step: claim,
  claim_waits_a_day: claim,
  claim_lacks_reviewer: claim,
  claim_needs_second_admin: { Act: ({ onClose }) => <InviteAdmin onClose={onClose} /> },
  pay_run_made: {
    Act: ({ need, onClose }) => <RunSheet id={numbered(need)} onClose={onClose} />,
    stays: true,
  },
  payout_to_make: next_run,
  withheld_to_give_back: next_run,
  overpayment: {
    Act: ({ need, onClose }) => <OverpaymentDialog person_id={subjectOf(need)} onClose={onClose} />,
  },
  company_account: { Act: ({ onClose }) => <CompanyAccountDialog onClose={onClose} /> },
  join_requested: join_request,
  admin_requested: { Act: AdminRequest },
  dependent_waits: {
    Act: ({ need, onClose }) => <DependentDialog id={subjectOf(need)} onClose={onClose} />,
  },
  erasure_waits: {
    Act: ({ need, onClose }) => <OneErasure id={subjectOf(need)} onClose={onClose} />,
  },
  people_missing: { Act: ({ onClose }) => <AddEmployee onClose={onClose} />, stays: true },
  money_to_allocate: { Act: ({ onClose }) => <Allocate onClose={onClose} /> },
  adjustment_waits: {
    Act: ({ need, onClose }) => <DecideAdjustment id={subjectOf(need)} onClose={onClose} />,
  },
  grants_wait: { Act: ({ onClose }) => <Allocate onClose={onClose} /> },
  right_waits: {
    Act: ({ need: { subject_id, rights, who }, onClose }) => (
      <ConfirmRights
        person_id={subject_id ?? ''}
        name={who ?? 'somebody'}
        ids={(rights ?? []).map(({ id }) => id)}
        onClose={onClose}
      />
    ),
  },
  company_founded: {
    Act: ({ need, onClose }) => <ActivateCompany id={subjectOf(need)} onClose={onClose} />,
  },
  super_requested: {
    Act: ({ need, onClose }) => <UserSheet id={subjectOf(need)} onClose={onClose} />,
  },
  inquiry: { Act: ({ need, onClose }) => <InquirySheet id={subjectOf(need)} onClose={onClose} /> },
  question_asked: my_claim,
  appeal_ends: my_claim,
  account_missing: my_account,
  payment_returned: my_account,
  data_ready: { Act: ({ onClose }) => <DataDialog onClose={onClose} />, stays: true },
}

/** Several of a kind in one line have their list instead. */
export const opensOf = ({ kind, path }: Need): Opens | undefined =>
  path === null ? undefined : opens[kind]

type QuickProps = { need: Need; onDone: () => void }

/** One press, where that is safe without looking closer. */
export const Quick = ({ need: { kind, number, version, who }, onDone }: QuickProps) =>
  kind === 'claim_submitted' &&
  version !== null && <QuickApprove id={number ?? 0} version={version} who={who} onDone={onDone} />
