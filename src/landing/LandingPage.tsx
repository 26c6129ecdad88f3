import { clsx } from 'clsx'
import { ArrowRight, Check } from 'lucide-react'
import { paths } from '#paths.ts'
import { Brand } from '#ui/Brand.tsx'
import { buttonStyles } from '#ui/Button.tsx'
import { Benefits, Categories, Features } from './LandingSections.tsx'
import { Story } from './LandingStory.tsx'
import { ProductPicture } from './ProductPicture.tsx'
import { PublicFooter } from './PublicFooter.tsx'

/** Rendered once, when the screens are built: plain HTML and links, without scripts. */
export function LandingPage() {
  return (
    <div className="overflow-x-clip">
      <TopBar />
      <main>
        <Hero />
        <Features />
        <Categories />
        <Benefits />
        <Story />
        <LastCall />
      </main>
      <PublicFooter />
    </div>
  )
}

const column = 'mx-auto w-full max-w-6xl px-5 sm:px-8'

const quietLink = 'rounded-md px-2 py-1 text-sm font-medium text-soft hover:text-ink'

function TopBar() {
  return (
    <header className="sticky top-0 z-40 border-b border-line bg-ground">
      <div className={`${column} flex h-16 items-center justify-between gap-4`}>
        <a href="/" aria-label="Healthfund, home" className="flex rounded-md">
          <Brand />
        </a>
        <nav aria-label="On this page" className="hidden gap-4 md:flex">
          <a href="#features" className={quietLink}>
            Features
          </a>
          <a href="#product" className={quietLink}>
            How it works
          </a>
          <a href="#benefits" className={quietLink}>
            Benefits
          </a>
        </nav>
        <div className="flex items-center gap-1 sm:gap-2">
          <a href={paths.login} className={buttonStyles({ variant: 'quiet' })}>
            Login
          </a>
          <a href={paths.signup} className={buttonStyles({ variant: 'primary' })}>
            Get Started
          </a>
        </div>
      </div>
    </header>
  )
}

const promises = ['No credit card required', 'Setup in 5 minutes', '24/7 support']

const eyebrow = clsx(
  'rounded-full border border-line bg-surface px-3.5 py-1 text-ui font-medium text-primary-ink',
  'shadow-card',
)
const headline = clsx(
  'mt-7 max-w-3xl text-4xl leading-[1.08] font-semibold tracking-[-0.03em] text-balance',
  'sm:text-6xl',
)

function Hero() {
  return (
    <section className="relative pt-16 sm:pt-24">
      <div className={`${column} flex flex-col items-center text-center`}>
        <p className={eyebrow}>Enterprise Health Management Platform</p>
        <h1 className={headline}>Health money your people can see, use and trust</h1>
        <p className="mt-6 max-w-2xl text-lg text-pretty text-soft">
          Give every employee a fund for Prevention, Treatment and Solidarity. They claim it back
          with a receipt, your rules decide, and every cent stays accounted for.
        </p>
        <div className="mt-9 flex w-full flex-col items-stretch gap-3 sm:w-auto sm:flex-row">
          <a href={paths.signup} className={buttonStyles({ variant: 'primary', size: 'large' })}>
            Start Free Trial
            <ArrowRight className="size-4" aria-hidden />
          </a>
          <a href={paths.demo} className={buttonStyles({ size: 'large' })}>
            View Demo
          </a>
        </div>
        <ul className="mt-6 flex flex-wrap justify-center gap-x-6 gap-y-2 text-ui text-soft">
          {promises.map((promise) => (
            <li key={promise} className="flex items-center gap-1.5">
              <Check className="size-4 text-primary" aria-hidden />
              {promise}
            </li>
          ))}
        </ul>
      </div>
      <div className={`${column} relative mt-14 sm:mt-20`}>
        <div className="absolute inset-x-0 top-1/3 bottom-0 left-1/2 w-screen -translate-x-1/2 bg-deep" />
        <ProductPicture />
      </div>
      <div className="h-14 bg-deep sm:h-20" />
    </section>
  )
}

const onDeep = clsx(
  'inline-flex h-11 items-center justify-center rounded-control border border-on-deep/35 px-5',
  'font-medium hover:bg-on-deep/10',
)

const brightOnDeep = clsx(
  'inline-flex h-11 items-center justify-center rounded-control bg-on-deep px-5 font-medium',
  'text-deep hover:bg-on-deep-soft',
)

function LastCall() {
  return (
    <section className="bg-deep text-on-deep">
      <div className={`${column} flex flex-col items-center py-20 text-center sm:py-24`}>
        <h2 className="max-w-2xl text-3xl font-semibold tracking-tight sm:text-4xl">
          Give your people a fund they will use
        </h2>
        <p className="mt-4 max-w-xl text-pretty text-on-deep-soft">
          Create your company, add your people and set the rules today. No money moves until you
          want it to.
        </p>
        <div className="mt-9 flex w-full flex-col gap-3 sm:w-auto sm:flex-row">
          <a href={paths.signup} className={brightOnDeep}>
            Start Your Free Trial
          </a>
          <a href={paths.contact} className={onDeep}>
            Contact Sales
          </a>
        </div>
      </div>
    </section>
  )
}
