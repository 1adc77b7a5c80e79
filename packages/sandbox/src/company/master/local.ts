import { areaCodeOf, customsOf, personalTaxNumberOf } from '../../data/country-customs.ts';
import { type Random, random } from '../../random.ts';

interface Place {
  readonly name: string;
  readonly country: string;
}

/** A telephone number of the city: +49 711 4382915. */
export function phoneIn({ name, country }: Place, random_: Random): string {
  const { callingCode, digits } = customsOf(country);
  const area = areaCodeOf(name);
  return `+${callingCode} ${area} ${subscriber(digits - area.length, random_)}`;
}

/** A number at the switchboard of one of our own companies, for an extension of three digits: +44 114 1234567. */
export function extensionAt({ name, country }: Place, extension: number): string {
  return `+${customsOf(country).callingCode} ${areaCodeOf(name)} 1234${String(extension).padStart(3, '0')}`;
}

/** A mobile number of the country: +49 171 4382915. */
export function mobileIn({ country }: Place, random_: Random): string {
  const { callingCode, digits, mobile } = customsOf(country);
  return `+${callingCode} ${mobile} ${subscriber(digits - mobile.length, random_)}`;
}

/** Street and number of a company, the same in every document. */
export function streetOf({ name, city }: { readonly name: string; readonly city: Place }): string {
  return streetIn(city, random(`street of ${name}`));
}

function subscriber(digits: number, { between }: Random): string {
  return String(between(2 * 10 ** (digits - 1), 10 ** digits - 1));
}

/** Street and number in the format of the country. */
export function streetIn(place: Place, random_: Random): string {
  const street = random_.pick(customsOf(place.country).streets);
  return withNumber(street, random_.between(1, 180), place);
}

/** A street with this number. */
export function streetWith(number: number, place: Place, { pick }: Random): string {
  return withNumber(pick(customsOf(place.country).streets), number, place);
}

function withNumber(street: string, number: number, { country }: Place): string {
  const { houseNumber } = customsOf(country);
  return houseNumber === 'before' ? `${number} ${street}` : `${street} ${number}`;
}

/** A VAT or tax number of a company in the format of the country. */
export function vatIn({ country }: Pick<Place, 'country'>, random_: Random): string {
  return digitsIn(customsOf(country).vat, random_);
}

/** A tax number of a person in the format of the country. */
export function taxNumberIn({ country }: Pick<Place, 'country'>, random_: Random): string {
  return digitsIn(personalTaxNumberOf(country), random_);
}

function digitsIn(form: string, { between }: Random): string {
  return form.replaceAll('#', () => String(between(0, 9)));
}
