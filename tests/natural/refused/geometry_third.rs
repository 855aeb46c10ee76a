//! Geometry: programs of a third collection. Refused: each with what the compiler says, and the cure.

// [DI0247] an iterator is only supported after `in` and in a chain that ends with a value
// Write the chain where it is used, without a variable.
/// Position from ranges to beacons on a sphere; robust loss.
mod trilateration {
    use di::prelude::*;

    #[differentiable]
    mod geodesy {
        const EARTH: f64 = 6.371;

        #[derive(Debug, Clone, Copy)]
        pub struct Beacon {
            pub lat: f64,
            pub lon: f64,
            pub range: f64,
        }

        fn haversine(lat1: f64, lon1: f64, lat2: f64, lon2: f64) -> f64 {
            let dlat = (lat2 - lat1).to_radians();
            let dlon = (lon2 - lon1).to_radians();
            let a = (dlat / 2.0).sin().powi(2)
                + lat1.to_radians().cos() * lat2.to_radians().cos() * (dlon / 2.0).sin().powi(2);
            2.0 * EARTH * a.sqrt().min(1.0).asin()
        }

        fn huber(r: f64, delta: f64) -> f64 {
            match r.abs() {
                a if a <= delta => 0.5 * r * r,
                a => delta * (a - 0.5 * delta),
            }
        }

        pub fn cost(p: &[f64; 3], #[constant] beacons: &[Beacon]) -> f64 {
            let &[lat, lon, bias] = p;
            let residuals = beacons
                .iter()
                .map(|b| haversine(lat, lon, b.lat, b.lon) + bias - b.range);
            let loss: f64 = residuals.map(|r| huber(r, 0.3)).sum();
            let worst = beacons
                .iter()
                .filter(|b| b.range > 1.0)
                .map(|b| (haversine(lat, lon, b.lat, b.lon) - b.range).abs())
                .fold(0.0_f64, |a, b| a.max(b));
            loss + 0.1 * worst + 0.5 * bias.powi(2)
        }
    }

    #[test]
    fn trilateration() {
        use geodesy::Beacon;
        let beacons = [
            Beacon {
                lat: 48.0,
                lon: 11.0,
                range: 0.4,
            },
            Beacon {
                lat: 40.0,
                lon: 2.0,
                range: 1.1,
            },
            Beacon {
                lat: 52.0,
                lon: 13.0,
                range: 0.6,
            },
        ];
        crate::check::scalar!(geodesy::cost, (&beacons), &[47.0, 8.0, 0.1]);
    }
}
