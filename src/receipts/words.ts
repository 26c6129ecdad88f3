// The words that receipts use, in the languages of most of Europe and the Americas.

const any = (...words: string[]) =>
  new RegExp(`(?<![\\p{L}])(?:${words.join('|')})(?![\\p{L}])`, 'iu')

/** The sum that is to be paid, said without doubt. */
export const due = any(
  'amount due|balance due|total due|total payable|amount payable|total to pay|grand total',
  'zu zahlen(?:der betrag)?|zahlbetrag|rechnungsbetrag|gesamtbetrag|endbetrag|endsumme',
  'za platiti|sveukupno|za uplatu|ukupan iznos|ukupni iznos|za plačilo|za naplatu',
  'net [àa] payer|montant [àa] payer|total ttc|total [àa] payer|total a pagar|importe total',
  'totale da pagare|totale complessivo|te betalen|do zapłaty|k úhradě|att betala|at betale|fizetendő',
)

export const total = any(
  'total(?:e|s)?|totaal|totalt|gesamt|summe|gesamtsumme|ukupno|skupaj|iznos|suma|razem|celkem',
  'spolu|összesen|yhteensä|i alt|montant|importe',
)

export const paid = any(
  'amount(?: paid)?|paid|betrag|bezahlt|plaćeno|uplaćeno|payé|pagado|pagato|betaald|visa|mastercard',
  'card|karte|kartica|ec-karte|cash|bar|gotovina|sum',
)

/** A sum of something else: before tax, of tax, of what was given or saved. */
export const not_the_sum = any(
  'sub-?\\s?total|zwischensumme|međuzbroj|međusuma|sous-?\\s?total|subtotale|subtotaal|medzisúčet',
  'net total|total net|netto(?:betrag|summe)?|total ht|hors taxes?|excl(?:\\.|uding)?|ex\\.? vat',
  'ohne mwst|bez pdv(?:-a)?|osnovica|base imponible|imponibile|taxable|before tax',
  'discount|rabatt|popust|remise|descuento|sconto|korting|savings?|saved|you save',
  'change(?: due)?|rückgeld|wechselgeld|povrat|ostatak|rendu|cambio|resto|wisselgeld',
  'tendered|gegeben|primljeno|reçu en espèces|entregado|cash given|rounding|rundung',
  'items?|articles?|artikel|stavki|qty|quantity|points?|punkte|bodov[ai]|units?|deposit|tip',
  'previous balance|carried forward|übertrag|excess|co-?pay(?:ment)? left|insurance paid|covered by',
)

export const tax = any(
  'vat|tax(?:es)?|mwst|m\\.w\\.st|ust|umsatzsteuer|mehrwertsteuer|pdv|ddv|tva|t\\.v\\.a|iva|i\\.v\\.a',
  'btw|moms|mva|dph|áfa|gst|hst|pst|porez',
)
/** … but with it the sum is the sum. */
export const with_tax = any(
  'incl(?:\\.|uding|usive)?|inkl(?:\\.|usive)?|ttc|brutto|gross|with|mit|s|uklj(?:\\.|učen)?|compris(?:e)?',
  'incluido|incluso|inclusief|incl|zzgl\\. 0',
)

export const service_day = any(
  'date of service|service date|visit(?: date)?|treatment date|date of treatment|treated on|appointment',
  'leistungsdatum|behandlungsdatum|behandelt am|datum usluge|datum isporuke|date de(?: la)? prestation',
  'fecha de servicio|data prestazione|leverdatum',
)
export const day = any(
  'date|dated|datum|dat\\.?|issued|invoice date|rechnungsdatum|belegdatum|kaufdatum|izdano|datum izdavanja',
  'datum računa|fecha|data|date de facture|le|vom|päivämäärä|dato|kelt',
)
/** Days of something else: birth, payment, expiry. */
export const not_the_day = any(
  'birth|born|d\\.?o\\.?b\\.?|geboren|geb\\.?|geburtsdatum|rođen[ao]?|datum rođenja|né(?:e)? le|nacimiento',
  'nascita|due(?: date| by| on)?|pay(?:able)? by|fällig(?: am)?|zahlbar bis|dospijeće|rok plaćanja',
  'échéance|vencimiento|scadenza|vervaldatum|expir(?:y|es|ed)|valid until|gültig bis|vrijedi do',
  'best before|mhd|next (?:visit|appointment)|nächster termin',
)

/** Words at the top of receipts that are nobody's name. */
export const not_a_name = any(
  'invoice|receipt|bill(?:ed)?|statement|rechnung|quittung|beleg|kassenbon|bon|račun|faktura|facture',
  'factura|fattura|ricevuta|bonnetje|kvittering|kvitto|original|copy|kopie|kopija|duplicate|customer',
  'kunde|kupac|client|patient|pacijent|page|seite|stranica|welcome|willkommen|dobrodošli|thank you',
  'danke|hvala|merci|gracias|grazie|tel\\.?|phone|telefon|fax|e-?mail|www|https?|date|datum|time|zeit',
  'vat|mwst|ust-?id|oib|iban|bic|swift|nr|no\\.?|number|bill to|sold to|ship to|cashier|kasse|blagajna',
  'total|subtotal|amount|description|qty|price|order|ref(?:erence)?|terminal|till|table',
)
export const street = any(
  'street|str\\.?|road|rd\\.?|avenue|ave\\.?|lane|square|floor|suite|stra(?:ß|ss)e|\\p{L}+stra(?:ß|ss)e',
  '\\p{L}+str\\.?|platz|weg|gasse|ulica|ul\\.?|trg|cesta|rue|boulevard|calle|via|piazza|plein|straat',
)
export const name_of_a_provider = any(
  'pharmac(?:y|ies)|chemists?|clinics?|polyclinic|hospital|surgery|practice|medical|health|dental|dentists?',
  'dentistry|optic(?:s|al|ians?)?|optometr\\p{L}+|physio\\p{L}*|therap\\p{L}+|fitness|gym|yoga|pilates|spa',
  'laborator(?:y|ies)|lab|dr\\.?|prof\\.?|doctors?|m\\.?d\\.?|apotheke|\\p{L}*apotheke|praxis|\\p{L}*praxis',
  'klinik(?:um)?|\\p{L}+klinik|krankenhaus|\\p{L}*arzt|\\p{L}*ärztin|optiker?|ljekarn[ae]|apoteka|poliklinika',
  'ordinacija|bolnica|klinika|dom zdravlja|stomatolo\\p{L}+|pharmacie|clinique|h[ôo]pital|cabinet|farmacia',
  'clínica|ospedale|studio (?:medico|dentistico)|apotheek|tandarts|huisarts|fysiotherap\\p{L}+|apteka',
)
export const company_form = any(
  'gmbh|ag|kg|ohg|e\\.?\\s?k\\.?|ltd\\.?|limited|plc|llc|inc\\.?|corp\\.?|d\\.?o\\.?o\\.?|j\\.?d\\.?o\\.?o\\.?|s\\.?r\\.?l\\.?',
  's\\.?a\\.?r\\.?l\\.?|s\\.?r\\.?o\\.?|b\\.?v\\.?|sp\\. z o\\.?o\\.?|oy|ab|aps|kft\\.?',
)

const month_words = [
  'january|jan|januar|jänner|januari|janvier|janv|enero|ene|gennaio|gen|siječnja|siječanj|sij|stycznia|leden|ledna',
  'february|feb|februar|februari|février|fevrier|févr|febrero|febbraio|veljače|veljača|velj|lutego|února|únor',
  'march|mar|märz|maerz|mrz|mär|maart|mrt|mars|marzo|ožujka|ožujak|ožu|marca|března|březen',
  'april|apr|avril|avr|abril|abr|aprile|travnja|travanj|tra|kwietnia|dubna|duben',
  'may|mai|mei|maj|mayo|maggio|mag|svibnja|svibanj|svi|maja|května|květen',
  'june|jun|juni|juin|junio|giugno|giu|lipnja|lipanj|lip|czerwca|června|červen',
  'july|jul|juli|juillet|juil|julio|luglio|lug|srpnja|srpanj|srp|lipca|července|červenec',
  'august|aug|augustus|août|aout|agosto|ago|kolovoza|kolovoz|kol|sierpnia|srpna|srpen',
  'september|sep|sept|septembre|septiembre|settembre|set|rujna|rujan|ruj|września|září',
  'october|oct|oktober|okt|octobre|octubre|ottobre|ott|listopada|listopad|lis|października|října|říjen',
  'november|nov|novembre|noviembre|studenoga|studenog|studeni|stu|listopadu',
  'december|dec|dezember|dez|décembre|decembre|déc|diciembre|dic|dicembre|prosinca|prosinac|pro|grudnia',
]
export const months: ReadonlyMap<string, number> = new Map(
  month_words.flatMap((words, at) =>
    words.split('|').map((word): [string, number] => [word, at + 1]),
  ),
)
