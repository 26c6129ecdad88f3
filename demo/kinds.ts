// Treatments people claim, at which providers, and for about how much (in euros; other currencies in proportion).

export type Category = 'prevention' | 'treatment' | 'solidarity'
type ClaimKind = { type: string; providers: string[]; least: number; most: number }

const kind = (type: string, least: number, most: number, ...providers: string[]): ClaimKind => ({
  type,
  providers,
  least,
  most,
})

export const claim_kinds: Record<Category, ClaimKind[]> = {
  prevention: [
    kind('Annual health check', 175, 198, 'Lindenhof Check-up Centre', 'Praxis am Park'),
    kind('Annual health check', 170, 198, 'Lindenhof Check-up Centre', 'Praxis am Park'),
    kind('Screening', 165, 198, 'Radiology Centre West', 'Lindenhof Check-up Centre'),
    kind('Fitness', 170, 198, 'Studio Balance', 'City Pool', 'Yoga Loft'),
    kind('Dental check', 150, 195, 'Harbour Dental Practice', 'Dr. Sauer Dental'),
    kind('Vaccination', 90, 160, 'Travel Medicine Mitte', 'Pharmacy at the Bridge'),
  ],
  treatment: [
    kind('Physiotherapy', 180, 420, 'Physio Nord', 'Movement & Co'),
    kind('Medicine', 18, 90, 'Pharmacy at the Bridge', 'Sonnen Pharmacy'),
    kind('GP visit', 30, 90, 'Dr. Albers', 'Praxis am Park'),
    kind('Specialist', 140, 340, 'Dr. Levy, Cardiology', 'Skin Centre', 'ENT Practice'),
    kind('Mental health', 240, 560, 'Practice for Psychotherapy'),
    kind('Glasses and lenses', 220, 480, 'Optik Stern', 'Klarblick Eye Clinic'),
    kind('Dental treatment', 300, 640, 'Harbour Dental Practice'),
  ],
  solidarity: [
    kind('Family doctor', 30, 80, 'Family Practice Weber'),
    kind('Child vaccination', 40, 90, 'Children’s Practice Sonne'),
    kind('Medicine for family', 8, 45, 'Sonnen Pharmacy'),
    kind('Elder care', 60, 95, 'Care at Home'),
  ],
}
