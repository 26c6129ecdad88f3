// Where people go: what the bills of each place look like, and what stands on them.

/** How its bills are printed: a till's slip, a practice's letter, a table of sessions, an optician's or a club's card. */
export type Style = 'slip' | 'letter' | 'table' | 'card'

export type CareProvider = { style: Style; colour: string; street: string; tax: string }

const at = (style: Style, colour: string, street: string, tax: string): CareProvider => ({
  style,
  colour,
  street,
  tax,
})

export const providers: Record<string, CareProvider> = {
  'Lindenhof Check-up Centre': at(
    'table',
    '#0f766e',
    'Lindenallee 12, 14050 Berlin',
    '27/331/08114',
  ),
  'Praxis am Park': at('letter', '#3f6212', 'Parkstraße 3, 13187 Berlin', '35/204/51107'),
  'Radiology Centre West': at('table', '#1e3a8a', 'Kantstraße 88, 10627 Berlin', '27/118/40025'),
  'Studio Balance': at('card', '#9f1239', 'Torstraße 140, 10119 Berlin', '30/552/77190'),
  'City Pool': at('slip', '#0369a1', 'Am Volkspark 1, 10713 Berlin', '29/410/66302'),
  'Yoga Loft': at('card', '#7e22ce', 'Hobrechtstraße 54, 12047 Berlin', '16/238/90411'),
  'Harbour Dental Practice': at('table', '#075985', 'Kade 7, 1011 Amsterdam', 'NL85 4471 902'),
  'Dr. Sauer Dental': at('letter', '#44403c', 'Bergmannstraße 29, 10961 Berlin', '14/386/20077'),
  'Travel Medicine Mitte': at(
    'letter',
    '#b45309',
    'Friedrichstraße 111, 10117 Berlin',
    '34/271/36650',
  ),
  'Pharmacy at the Bridge': at('slip', '#b91c1c', 'Weidendamm 2, 10117 Berlin', '34/290/15518'),
  'Physio Nord': at('table', '#15803d', 'Nordufer 21, 13353 Berlin', '23/347/80264'),
  'Movement & Co': at('card', '#c2410c', 'Prinzenstraße 40, 10969 Berlin', '14/402/33981'),
  'Sonnen Pharmacy': at('slip', '#a16207', 'Sonnenallee 75, 12045 Berlin', '16/118/47230'),
  'Dr. Albers': at('letter', '#334155', 'Schloßstraße 10, 12163 Berlin', '20/229/61845'),
  'Dr. Levy, Cardiology': at('table', '#881337', 'Kurfürstendamm 61, 10707 Berlin', '27/455/10933'),
  'Skin Centre': at('letter', '#be185d', 'Tauentzienstraße 9, 10789 Berlin', '27/460/72216'),
  'ENT Practice': at('letter', '#155e75', 'Müllerstraße 47, 13349 Berlin', '23/312/09954'),
  'Practice for Psychotherapy': at(
    'letter',
    '#4c1d95',
    'Winsstraße 18, 10405 Berlin',
    '31/507/28841',
  ),
  'Optik Stern': at('card', '#1d4ed8', 'Karl-Marx-Allee 92, 10243 Berlin', '37/163/55079'),
  'Klarblick Eye Clinic': at('table', '#0e7490', 'Seestraße 40, 13353 Berlin', '23/380/91127'),
  'Family Practice Weber': at('letter', '#166534', 'Pappelallee 5, 10437 Berlin', '31/244/83306'),
  'Children’s Practice Sonne': at(
    'card',
    '#ca8a04',
    'Kollwitzstraße 33, 10435 Berlin',
    '31/298/14462',
  ),
  'Care at Home': at('table', '#57534e', 'Residenzstraße 16, 13409 Berlin', '17/351/70518'),
}

/** Items of a bill, in percent of the whole. */
export const items: Record<string, [what: string, percent: number][]> = {
  'Annual health check': [
    ['Consultation and examination', 55],
    ['Blood count, large', 30],
    ['ECG at rest', 15],
  ],
  Screening: [
    ['Ultrasound of the abdomen', 65],
    ['Report with pictures', 35],
  ],
  Fitness: [['Ten visits', 100]],
  'Dental check': [
    ['Examination', 35],
    ['Professional cleaning', 65],
  ],
  Vaccination: [
    ['Vaccine', 72],
    ['Injection and advice', 28],
  ],
  'Eye test': [
    ['Refraction, both eyes', 60],
    ['Pressure of the eyes', 40],
  ],
  Physiotherapy: [['Physiotherapy, 40 minutes, 4 sessions', 100]],
  Medicine: [
    ['Medicine on prescription', 70],
    ['Ointment 50 g', 30],
  ],
  'GP visit': [
    ['Consultation', 60],
    ['Examination', 40],
  ],
  Specialist: [
    ['Consultation', 35],
    ['Examination with equipment', 65],
  ],
  'Mental health': [['Psychotherapy, 50 minutes, 4 sessions', 100]],
  'Glasses and lenses': [
    ['Frame', 40],
    ['Lenses, pair', 60],
  ],
  'Dental treatment': [
    ['Filling, three surfaces', 62],
    ['Local anaesthetic', 8],
    ['X-ray, two teeth', 30],
  ],
  'Family doctor': [['Consultation', 100]],
  'Child vaccination': [
    ['Vaccine', 70],
    ['Injection', 30],
  ],
  'Medicine for family': [['Medicine on prescription', 100]],
  'Elder care': [['Care at home, 3 hours', 100]],
}
