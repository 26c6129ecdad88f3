import { PublicPage } from './PublicPage.tsx'
import { Law, Reach, Sections, type LandingSection } from './Sections.tsx'
import { changed_on } from './changed-on.ts'

const sections: LandingSection[] = [
  {
    id: 'what',
    title: 'What Healthfund is',
    content: (
      <>
        <p>
          Healthfund is a platform on which a company sets money aside for the health of its people,
          in three categories: Prevention, Treatment and Solidarity. People claim it back with a
          receipt, the company’s administrators decide by the company’s policy, and every movement
          of money is kept in a ledger.
        </p>
        <p>
          Healthfund is not an insurance, not a bank and not medical advice. Money moves between the
          company and its people outside the platform, by the company’s payroll or bank; the
          platform keeps the account of it.
        </p>
      </>
    ),
  },
  {
    id: 'who',
    title: 'Who agrees to these terms',
    content: (
      <>
        <p>
          Anyone who creates a company here confirms that they may act for it, and agrees to these
          terms in its name. Everybody with an account agrees to them for their own use. If a
          company has a written contract with the provider that says something else, the contract
          prevails.
        </p>
        <p>You must be old enough to work where you live, and use your own name and address.</p>
      </>
    ),
  },
  {
    id: 'accounts',
    title: 'Accounts and roles',
    content: (
      <>
        <p>
          A role chosen at sign-up is a request. An employee’s account becomes active when the
          address belongs to the company’s own domain or when the company’s administrator approves
          it; a company and its money become active when the provider activates them.
        </p>
        <ul>
          <li>Keep your password to yourself, and turn on two-step verification if you can.</li>
          <li>Tell your company or the provider at once if somebody else got into your account.</li>
          <li>What is done with your account counts as done by you until you have said so.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'trial',
    title: 'Free trial, price and payment',
    content: (
      <p>
        Creating a company and setting it up is free and asks for no credit card: people, plan and
        policy can be prepared without any money. What the service costs after that is agreed
        between the company and the provider before the company is activated; nothing is charged
        through this platform. A trial that is not continued can simply be left.
      </p>
    ),
  },
  {
    id: 'company',
    title: 'What a company is responsible for',
    content: (
      <ul>
        <li>That it may hold the data of its people here, and has told them so.</li>
        <li>The plan, the policy and each decision on a claim: they are the company’s own.</li>
        <li>The money: that what it promises is there, and is paid out when approved.</li>
        <li>Taxes, social contributions and labour law where its people work.</li>
        <li>Its choice of administrators, and that they look at receipts only to decide.</li>
      </ul>
    ),
  },
  {
    id: 'people',
    title: 'What people are responsible for',
    content: (
      <ul>
        <li>Claim only what you paid for yourself or for those you covered, and only once.</li>
        <li>Upload receipts that are yours, readable and unchanged but for parts you black out.</li>
        <li>Name as dependents only those who are, and end their cover when that ends.</li>
        <li>A claim that was approved by mistake or by a false statement can be reversed.</li>
      </ul>
    ),
  },
  {
    id: 'fair',
    title: 'Fair use',
    content: (
      <p>
        Do not try to see what is not yours, to overload the service, to get around its limits, or
        to upload what harms others. Testing the security of your own installation is welcome;
        testing this one needs the provider’s permission first. Found something? Please tell the
        provider, and nobody else, until it is fixed.
      </p>
    ),
  },
  {
    id: 'service',
    title: 'What the provider promises',
    content: (
      <>
        <ul>
          <li>To run the service with care, keep backups, and fix faults without delay.</li>
          <li>
            Never to look at people’s health data: its staff sees no receipt and no diagnosis.
          </li>
          <li>To announce maintenance that interrupts the service, where that can be planned.</li>
          <li>To let a company take all its data with it, at any time, in common formats.</li>
        </ul>
        <p>
          No service is without faults, and the provider does not promise that this one is. A figure
          for availability, if one was agreed, is in the company’s contract.
        </p>
      </>
    ),
  },
  {
    id: 'liability',
    title: 'If something goes wrong',
    content: (
      <p>
        Each side answers for damage it causes on purpose or by gross negligence, and for harm to
        life, body and health, without limit. Otherwise the provider answers for foreseeable damage
        from breaking a duty that the contract depends on, up to what the company paid for the
        service in the last twelve months. What the law does not let anybody limit is not limited
        here either.
      </p>
    ),
  },
  {
    id: 'end',
    title: 'Ending',
    content: (
      <>
        <p>
          You may stop using Healthfund at any time. A company may end its use with a month’s notice
          unless its contract says otherwise. The provider may suspend an account or a company that
          breaks these terms, says why, and lifts it when that is fixed.
        </p>
        <p>
          After the end, a company’s data can be exported for 90 days. Then it is deleted, apart
          from what the law says must be kept, such as the books.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and law',
    content: (
      <>
        <p>
          If these terms change, companies are notified at least 30 days in advance, and may end
          their use before then. If one of these terms is invalid, the others still apply.
        </p>
        <p>
          <Law /> Consumers keep the protection of the law where they live.
        </p>
        <p>
          Questions: <Reach />.
        </p>
      </>
    ),
  },
]

export function TermsPage() {
  return (
    <PublicPage
      wide
      title="Terms of Service"
      description="What the provider, companies and their people may expect of each other. In plain words, on one page."
    >
      <Sections updated={changed_on.terms} sections={sections} />
    </PublicPage>
  )
}
