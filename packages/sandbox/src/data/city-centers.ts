/** Latitude and longitude of the center of some cities. */
export const cityCenters: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  Munich: [48.137154, 11.576124],
  Nuremberg: [49.452103, 11.076665],
  Stuttgart: [48.775846, 9.182932],
  Cologne: [50.937531, 6.960279],
  Dortmund: [51.513587, 7.465298],
};
