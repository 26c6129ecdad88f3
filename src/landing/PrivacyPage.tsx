import { PublicPage } from './PublicPage.tsx'
import { Authority, KeptByTheClock, Reach, Sections, type LandingSection } from './Sections.tsx'
import { changed_on } from './changed-on.ts'

const sections: LandingSection[] = [
  {
    id: 'short',
    title: 'In short',
    content: (
      <ul>
        <li>
          Your receipts are for you and the administrators who decide. Each opening is shown to you.
        </li>
        <li>
          The provider’s staff sees sums, never a receipt, a diagnosis or a type of treatment.
        </li>
        <li>
          No tracking, no advertising, no cookies for either, nothing loaded from other sites.
        </li>
        <li>You can download everything about you, and ask for it to be erased, in Settings.</li>
      </ul>
    ),
  },
  {
    id: 'responsible',
    title: 'Who is responsible',
    content: (
      <>
        <p>
          For the data of a company’s people, their company decides why and how it is used: it is
          the controller. The provider keeps it on the company’s behalf and by its instructions, as
          its processor. For the accounts of the provider’s own staff, messages to the contact page
          and the security of the service, the provider is the controller.
        </p>
        <p>
          Contact the provider through <Reach />, and your company through its administrators.
        </p>
      </>
    ),
  },
  {
    id: 'what',
    title: 'What is kept, and why',
    content: (
      <>
        <ul>
          <li>
            <strong>Your account:</strong> name, work email, phone and department if given, role,
            password (as a hash that cannot be turned back), second steps, sign-in sessions. To know
            that it is you.
          </li>
          <li>
            <strong>Your fund:</strong> what you were granted, claimed, and were paid, in a ledger
            that nobody can edit. To keep the books right.
          </li>
          <li>
            <strong>Your claims:</strong> category and type, provider, date, amounts, note, receipts
            and what was read from them, and each decision with its reasons. To decide and to
            explain the decision. Some of this is data about health.
          </li>
          <li>
            <strong>Your family:</strong> name, relationship and date of birth of those you cover.
            To know who is covered.
          </li>
          <li>
            <strong>Bookings:</strong> which health check you booked and when. To hold your place.
          </li>
          <li>
            <strong>What happened:</strong> who changed what, when and from which address. To find
            faults and misuse.
          </li>
          <li>
            <strong>Messages to the contact page:</strong> what you wrote. To answer you.
          </li>
        </ul>
        <p>
          The legal grounds are the employment relationship and the company’s agreement with its
          people, the duty to keep books, and the legitimate interest in a secure service. For data
          about health it is the law of social protection or your consent, which you give by
          submitting a claim and may withdraw by withdrawing it.
        </p>
      </>
    ),
  },
  {
    id: 'who-sees',
    title: 'Who can see it',
    content: (
      <>
        <ul>
          <li>You see everything about yourself.</li>
          <li>
            Your company’s administrators see their own company’s people, claims and receipts, and
            no other company’s. Opening a receipt is recorded and shown to you.
          </li>
          <li>
            The provider’s staff sees companies, accounts and sums; under five people no sum is
            shown.
          </li>
        </ul>
        <p>
          The database itself enforces this, row by row, whatever a screen asks for. Nobody sells
          your data or passes it on. Receipts are read by this server alone: no outside service sees
          them. Mails are carried by the mail server that the provider has chosen, and never contain
          anything about health.
        </p>
      </>
    ),
  },
  {
    id: 'how-long',
    title: 'How long it is kept',
    content: (
      <ul>
        <li>
          Account, claims and receipts: as long as you are with your company and its rules ask.
        </li>
        <li>The ledger: as long as the law asks for books to be kept.</li>
        <li>Mails that were sent: not kept once delivered.</li>
        <li>Sign-in sessions: until you sign out, or they expire.</li>
        <KeptByTheClock />
        <li>Backups: by the provider’s plan, encrypted or in a place that only it can open.</li>
      </ul>
    ),
  },
  {
    id: 'browser',
    title: 'In your browser',
    content: (
      <p>
        This site sets no cookies. Your session is kept in the browser’s storage until you sign out,
        together with your choice of light or dark. What you type into a form stays in its tab until
        you send it, so that a reload loses nothing. Fonts, pictures and scripts come from this
        server; no other one learns that you were here.
      </p>
    ),
  },
  {
    id: 'safe',
    title: 'How it is kept safe',
    content: (
      <p>
        Connections are encrypted. Receipts are encrypted where they are stored, each with its own
        key. Passwords are hashed with argon2id; sessions are short and can be ended from Settings.
        Every change is recorded by the database in a chain that shows tampering. If data is lost or
        seen by somebody who should not, the provider tells the companies concerned without delay,
        so that they can tell you.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'What you can do',
    content: (
      <>
        <ul>
          <li>
            See and download it: “Export of my data” in Settings gives you a ZIP with all of it.
          </li>
          <li>Correct it: in Settings, or by asking your company’s administrators.</li>
          <li>
            Have it erased: ask in Settings; your company and the provider decide within a month.
            The ledger then keeps amounts, but no longer who they were for.
          </li>
          <li>Object, restrict, withdraw consent: write to your company or to the provider.</li>
          <li>
            Complain: <Authority />
          </li>
        </ul>
        <p>
          No decision against you is made by a machine alone: small claims that agree with their
          receipt may be approved automatically, but a refusal is always a person’s.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    content: (
      <p>
        If this page changes in a way that matters to you, you will be notified beforehand. The
        version’s date is at the side.
      </p>
    ),
  },
]

export function PrivacyPage() {
  return (
    <PublicPage
      wide
      title="Privacy"
      description="What is known about you here, who may see it, how long it is kept, and what you can do."
    >
      <Sections updated={changed_on.privacy} sections={sections} />
    </PublicPage>
  )
}
