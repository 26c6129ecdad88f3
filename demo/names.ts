// Names for people who do not exist.
import type { Random } from './random.ts'

const words = (text: string) => text.trim().split(/\s+/)

const first = words(`
  Amara Ana Anton Arjun Astrid Beatriz Bruno Camille Carlos Chiara Daniel Dilan Dora Elena
  Elif Emil Emma Erik Farah Felix Filip Freya Giulia Hana Hannah Henrik Hugo Ida Ines Ingrid
  Isabel Ivan Jan Jakub Julia Kaja Karim Katarina Klara Lara Laura Leo Lina Linh Luca Lukas
  Magda Marek Maria Marta Mateo Maya Mei Mikkel Milan Mira Nadia Nils Nina Noah Nora Oliver
  Olga Omar Oskar Paul Pedro Petra Rafael Rania Ravi Robin Rosa Sam Samira Sara Simon Sofia
  Stefan Tara Theo Tomas Valentina Vera Victor Wanda Yara Yusuf Zoe Zofia`)
const last = words(`
  Abadi Adler Albrecht Andersen Antunes Arslan Bakker Bauer Becker Berg Bianchi Blanc Brandt
  Brunner Carvalho Chen Costa Dahl Demir Dvorak Eriksen Esposito Falk Farkas Ferrari Fischer
  Fontaine Garcia Greco Gupta Haas Hansen Hartmann Holm Horvat Huber Iyer Jansen Jovanovic
  Kaplan Kaya Klein Kovac Kowalski Kraus Lang Larsen Lehmann Lindgren Lopez Lorenz Maric
  Martin Mehta Meyer Moreau Moreno Nagy Neumann Nguyen Nilsson Novak Nowak Okafor Olsen Ozturk
  Pavlov Pereira Petrov Popescu Ramos Richter Ricci Rossi Roth Ruiz Sato Schmid Silva Simic
  Sorensen Stein Szabo Tanaka Tran Vidal Vogel Wagner Weber Winter Wolf Yilmaz Zeman`)

export type NameAndAddress = { full_name: string; email: string }

/** Each name once in a company, with the address that follows from it. */
export function namesIn(chance: Random, domain: string) {
  const taken = new Set<string>()
  return (): NameAndAddress => {
    for (;;) {
      const [first_name, family] = [chance.pick(first), chance.pick(last)]
      const email = `${first_name}.${family}@${domain}`.toLowerCase()
      if (taken.has(email)) continue
      taken.add(email)
      return { full_name: `${first_name} ${family}`, email }
    }
  }
}
