#!/usr/bin/env bash
# Proves that the tests can fail: injects one error at a time into a copy of the sources, builds, and expects the named
# tests to fail. On demand: a build of the tests, and a minute or so for each error.
#   tests/mutations.sh [NUMBER | FIRST-LAST]...  some of them
#   tests/mutations.sh --check                   only whether every expression still changes its file
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")

# what is injected | file | sed expression | tests that must fail
mutations=(
  # kernels
  "one wrong LBM weight|apps/lbm/lattice.hpp|s/0.01420821615845075026469894/0.0142083/|*Lbm*"
  "one swapped index in fv4|apps/gsrb/gsrb.hpp|s/x_wn = box.x\[at - 1 + j\]/x_wn = box.x[at + 1 - j]/|*Gsrb*"
  "a missing ghost exchange before the timed sweep|apps/gsrb/problem.cpp|s/^  level.exchange(Vector::x);//|*Gsrb*"
  "one swapped direction in LBM's propagate|apps/lbm/propagate.hpp|s/c.x \* grid.ny() + c.y/c.x * grid.ny() - c.y/|*Lbm*"
  "a missing conjugate in GPP|apps/gpp/gpp.hpp|s/conj(left) \* right/left * right/|*Gpp*"
  "one neighbour of the stencil twice|apps/stencil/stencil.hpp|s/above = u\[at + plane\]/above = u[at - plane]/|*tencil*"
  "packs of the stencil joined one element too far|apps/stencil/planes.hpp|s/joined<1>(pack/joined<2>(pack/|*StencilTuned*"
  "a stencil of a linear function|apps/stencil/problem.cpp|s/7 \* i \* i + 31 \* j \* j + 113 \* k \* k/7 * i + 31 * j + 113 * k/|*tencil*"
  "scale that adds|apps/stream/stream.hpp|s/real(s \* x)/real(s + x)/|*tream*:*Planted*"
  "a triad without its product|apps/stream/stream.hpp|s/x + s \* y/x + y/|*tream*:*Planted*"
  "propagate that stores through the caches|apps/lbm/propagate.hpp|s/out.set_streaming(at, f)/out.set(at, f)/|LbmCounts*:*StreamingStores*"
  "passes of GPP that begin at one place|apps/gpp/launch.hpp|s/chunk + chunk \/ rows \* rows \/ passes/chunk/|Gpp*"
  "the first time of a chunk counted|bench/space/openmp.hpp|s/if (time == 1) begin/if (time == 0) begin/|WarmPass*"
  "small chunks of GSRB that leave rows out|apps/gsrb/solve.hpp|s/? 4 : 8, small/? 4 : 12, small/|*InCore*"
  "a byte of DRAM counted at every level|reporters/view/time_breakdown.cpp|s/time->seconds \* served_share(point.counts, level)/time->seconds/|TimeBreakdown*"
  "streaming stores taken for traffic of caches|reporters/view/time_breakdown.cpp|s/traffic->total() - (level/traffic->total() - 0 * (level/|TimeBreakdown*"
  "an atomic addition made plain|apps/gpp/launch.hpp|s/std::atomic_ref(\(achtemp\[[^]]*\]\))/\1/|SharedSums*"
  "a gather with two lanes exchanged|bench/space/gathered_complex.hpp|s/setr_epi64(0, 4 \* s, s,/setr_epi64(0, s, 4 * s,/|StridedLoads*"
  "halved registers read behind the last number|bench/space/gathered_complex.hpp|s/p + 3 \* w - 2/p + 3 * w/|StridedLoads*"
  "the slowest tuning chosen|bench/suite/tunings.cpp|s/const auto best = std::min_element/const auto best = std::max_element/|TuningChoice*"
  "only the first tuning verified|bench/run/verify.cpp|s/tuning : variant.tunings)/tuning : {variant.tunings.front()})/|TuningChoice*"
  "a tuning of GPP that always fuses|apps/gpp/tunings.hpp|s/\[\](Space space, /[](Space, /;s/(space, problem, stride, packs)/(OpenMp<true>(), problem, stride, packs)/|GppBits*"
  "a tuning of GPP that is launched without FMA|apps/gpp/tuned.cpp|s/tuning.launch(OpenMp<true>{warm}, /tunings_of<Nw, OpenMp<false>>(stride)[0].launch({}, /|*KernelTunings*"
  "whole packs that always fuse|apps/gsrb/whole_packs.hpp|s/Method, Lane, Fma>/Method, Lane, true>/|GsrbBits*"
  "stages of LBM that always fuse|apps/lbm/staged.hpp|s/bool fma = Fma,/bool fma = true,/|LbmBits*"
  "moments of one pack relaxed for all|apps/lbm/staged.hpp|s/lanes}, moments\[k\]);$/lanes}, moments[0]);/|*KernelTunings*"
  "numbers gathered from one line|microkernels/cpu/bandwidth_kernels.hpp|s/p + N \/ 4 \* line_doubles/p + N \/ 4/|*SweptArrays*"
  "two divisions for 48 FMAs|microkernels/cpu/flops_kernels.hpp|s/fmas % fmas_per_division == 0/fmas % (fmas_per_division \/ 2) == 0/|FlopsKernels*"
  # what a launch is declared to do
  "ceilings of bandwidth without their write-allocates|microkernels/cpu/bandwidth.cpp|s/mix.explicit_bytes : mix.moved_bytes/mix.explicit_bytes : mix.explicit_bytes/|DeclaredBytes*"
  "a triad that moves no line for its store|microkernels/cpu/array_sweep.cpp|s/{3, 24, 32}/{3, 24, 24}/|DeclaredBytes*"
  "arithmetic that counts one thread|microkernels/cpu/flops.cpp|s/workload.work = static_cast<double>(threads) \* kernel/workload.work = 1.0 * kernel/|DeclaredWork*"
  "strided reads that count one thread|microkernels/cpu/scattered.cpp|s/work.work = 64 \* lines \* threads/work.work = 64 * lines/|DeclaredBytes*"
  "instructions that count one thread|microkernels/cpu/instructions.cpp|s/static_cast<double>(threads) \* static_cast<double>(steps)/static_cast<double>(steps)/|DeclaredWork*"
  "a launch that counts every window|microkernels/cpu/array_sweep.hpp|s/return elements() \/ windows()/return elements()/|DeclaredWork*"
  "a chain of half lines|microkernels/cpu/scattered.cpp|s/work.work = 64.0 \* static_cast<double>(chase_steps)/work.work = 32.0 * static_cast<double>(chase_steps)/|DeclaredBytes*"
  # verification
  "a verification of 4 of 8 boxes|apps/gsrb/problem.cpp|s/box < boxes; ++box/box < boxes \/ 2; ++box/|*Planted*"
  "a verification without the last element|bench/space/workload.cpp|s/i < want.size(); ++i/i + 1 < want.size(); ++i/|*Planted*:*Compare*"
  "a verification that a NaN passes|bench/space/workload.cpp|s/!(std::abs(got\[at\] - want\[i\]) <= bound)/std::abs(got[at] - want[i]) > bound/|ComparedNumbers*"
  "a reference of infinity that everything passes|bench/space/workload.cpp|s/ || !std::isfinite(want\[i\])//|ComparedNumbers*"
  # spaces and counters
  "a streaming store that is a plain one|bench/space/pack.hpp|s/_mm512_stream_pd/_mm512_store_pd/;s/_mm256_stream_pd/_mm256_store_pd/|*StreamingStores*"
  "an FMA counted as a multiplication|bench/cache_model/counting.hpp|s/operations().fma += W;/operations().mul += W;/|*Counting*:*Sampler*:*Gpp*"
  "write-backs of victims lost|bench/cache_model/cache_hierarchy.cpp|s/++caches_\[level\].write_backs;//|Lru*:CacheHierarchy*:ByteModel*"
  "streaming stores that do not reach DRAM|bench/cache_model/cache_hierarchy.cpp|s/streamed_ += bytes;//|*Lbm*:*Sampler*:CacheHierarchy*"
  "a line that was read taken for overwritten|bench/cache_model/cache_hierarchy.cpp|s/: entry_of(set\[way\]);/: set[way];/|Overwritten*"
  "lines that were there taken for overwritten|bench/cache_model/cache_hierarchy.cpp|s/fetched ? whole_line_/fetched || newest ? whole_line_/|Overwritten*"
  "an unpaired line that its neighbour does not complete|bench/cache_model/cache_hierarchy.cpp|s/set\[way\] & alone ? 2 : 1/1/|UnpairedLines*"
  "a pair completed twice|bench/cache_model/cache_hierarchy.cpp|s/set\[way\] &= ~alone;//|UnpairedLines*"
  "neighbours in nearer caches not seen|bench/cache_model/cache_hierarchy.cpp|s/return ++paired_, false;/return true;/|UnpairedLines*"
  "vectors across two lines not seen|bench/cache_model/counting.hpp|s/std::min(size, line) > line)/std::min(size, line) > 2 * line)/|SplitLoads*"
  "numbers side by side taken for gathered ones|bench/cache_model/counting.hpp|s/if (stride != 1) active_recording/active_recording/|GatheredBytes*:*Gpp*"
  "costly loads of half a launch|bench/cache_model/sampler.cpp|s/split_ += loaded(&Recording::split_bytes)/split_ += loaded(\&Recording::split_bytes) \/ 2/|SplitLoads*:GatheredBytes*"
  "parallel regions of both launches counted|bench/cache_model/sampler.cpp|s/^  regions_ = 0;//|ParallelRegions*"
  "a small loop that finds what was walked before|bench/cache_model/sampler.cpp|s/if (unseen) cores_.core. = std::move(.unseen);//|Sampled*"
  "a remainder that runs on cold caches|bench/cache_model/sampler.cpp|s/if (sampled_) {/if (false) {/|Sampled*"
  "an error on another core lost|bench/cache_model/sampler.cpp|s/failures\[number\] = std::current_exception();//|Sampler*"
  "a sector too many in a coalesced run|bench/virtual_gpu/memory/coalescer.cpp|s/last - first + 1);/last - first + 2);/|*oalesc*"
  "warps executed ahead of a barrier|bench/virtual_gpu/execute/slice.cpp|s/program_.synchronises .= o.kind == Class::barrier/program_.synchronises = false/|ExecutedKernel*"
  "a failed self-test of counters accepted|bench/counters/self_test.cpp|s/!result.passed() \&\&/result.passed() \&\&/|*SelfTest*"
  "counters without a number accepted|bench/counters/self_test.cpp|s/if (!counted) return false;/if (!counted) return true;/|CuptiCounting*:SelfTest*"
  "counts of different launches used|bench/counters/metrics.cpp|s/tolerated = 0.01/tolerated = 1/|CuptiCounting*:Metrics*"
  "a pass of CUPTI that an error leaves running|bench/counters/cupti/cupti_profiler.cpp|s/if (started_) stop();//|CuptiProtocol*"
  "CUPTI left in the process|bench/run/rounds_on_gpu.cpp|s/if (counter_) counter_->finish();//|CuptiInARun*"
  "calls of LIKWID's regions not seen|bench/counters/imports/likwid_csv.cpp|s/return void(calls_ = most(fields, 1));/return;/|LikwidCsv*"
  "a table of LIKWID that may end early|bench/counters/imports/likwid_csv.cpp|s/if (table_ \&\& rows_ > 0)/if (false)/|LikwidCsv*"
  # estimators and the model
  "too narrow a rank interval|bench/model/statistics.cpp|s/1.96 \* std::sqrt/1.0 * std::sqrt/|MedianInterval*"
  "evasion of write-allocates called within the noise|bench/model/store_policy.cpp|s/write->rate_low > clear_margin/write->rate > clear_margin/|StorePolicy*"
  "streaming mixes for kernels without such stores|bench/model/roofline.cpp|s/(streams \&\& streamed_share > 0)/streams/|StreamingMixes*:Roofline*"
  "streamed bytes left out of the nearest mix|bench/model/roofline.cpp|s/ + std::abs((streams ? written : 0) - streamed_share)//|StreamingMixes*"
  "divisions that take no slots of their neighbours|bench/model/compute_mix.cpp|s/division_slots(precision).value_or(0)/0.0/|ComputeMix*"
  "slots of divisions where the divider is the wait|bench/model/compute_mix.cpp|s/seconds < nearly \/ div->rate/seconds < 0 * nearly \/ div->rate/|ComputeMix*"
  "gathers at the rate of other loads|bench/model/roofline.cpp|s/take_out(counts.gathered, gathers/take_out({}, gathers/|CostlyLoads*"
  "gather instructions compared with the fastest way|bench/model/roofline.cpp|s/by_instructions = counts.gathers/by_instructions = false \&\& counts.gathers/|CostlyLoads*"
  "a core that bounds not named|bench/model/assessment.cpp|s/if (core_bounds(assessment)) return .core.;//|KernelTable*"
  "more costly loads than loads|bench/model/roofline.cpp|s/others.read -= taken;//|CostlyLoads*"
  "unpaired lines at the rate of streams where they have a probe|bench/model/roofline.cpp|s/moment.unpaired ? skipping->rate . .moment.unpaired : //|UnpairedLineTime*"
  "a rest that is called overlap|reporters/view/time_breakdown.cpp|s/std::max(0.0, seconds - sum())/std::max(0.0, sum() - seconds)/|TimeBreakdown*"
  "the second double of a line not read|microkernels/cpu/isa_baseline.cpp|s/V::load(place + k % touches)/V::load(place)/|ScatteredReads*"
  "regions that take longer where they are faster|bench/model/roofline.cpp|s/\*counts.regions \/ rate_at(/*counts.regions * rate_at(/|ForkJoin*"
  "a bound that only the mix knows not shown|bench/model/assessment.cpp|s/return std::string(name(unknown_to_roofs));/return {};/|Screen*:Page*"
  "a sum that fork-join is left out of|reporters/view/time_breakdown.cpp|s/ + beyond() + regions.value_or(0)/ + beyond()/|TimeBreakdown*"
  "a front end after the units instead of next to them|reporters/view/time_breakdown.cpp|s/std::max({compute.value_or(0), front_end.value_or(0),/front_end.value_or(0) + std::max({compute.value_or(0),/|TimeBreakdown*"
  "a bound at the fastest resource|bench/model/least_time.cpp|s/seconds > result->seconds/seconds < result->seconds/|LeastTime*"
  # the instrument
  "a chain of three cycles taken for four|bench/machine/clock.cpp|s/cycles = 3;/cycles = 4;/|Clock*"
  "theory at three times the clock|microkernels/cpu/flops.cpp|s/return per_hz \* clock_under/return 3 * per_hz * clock_under/|FlopsCeilings*"
  "threads that are not where they were put|bench/machine/pinning.cpp|s/seen\[i\] != wanted\[i\]/false/|Threads*"
  "OMP variables let through|bench/machine/openmp_environment.cpp|s/begins(\*at, \"OMP_\")/false/|OpenMp*"
  "file pages counted as used memory|bench/machine/cgroup.cpp|s/used - droppable/used - 0 * droppable/|MemoryLimits*"
  # nothing lost
  "an incomplete run in place of a complete one|bench/storage/result_files.cpp|s/complete_ ? name : partial/complete_ ? name : name/|ResultFiles*:*Signals*"
  "hang-ups not caught|bench/machine/interrupt.cpp|s/{SIGINT, SIGTERM, SIGHUP}/{SIGINT, SIGTERM}/|*Signals*"
  "a lost reader that ends the run|bench/machine/interrupt.cpp|s/std::signal(SIGPIPE, SIG_IGN);//|LostNothing*"
  "a journal that two runs write|bench/recovery/journal_file.cpp|s/errno == EWOULDBLOCK/false/|JournalFiles*"
  "few warps compared with a theory of full ones|bench/result/physics_ceilings.cpp|s/ && ceiling.warps == 0//|Physics*"
  # physics checks, one each
  "bandwidth_by_level without a limit|bench/result/physics_ceilings.cpp|s/judged(1.03)/judged(9)/|Physics*"
  "compute_ceilings without a limit|bench/result/physics_ceilings.cpp|s/judged(1.02)/judged(9)/|Physics*"
  "dram_below_theory without a limit|bench/result/physics_ceilings.cpp|s/judged(1.0)/judged(9)/|Physics*"
  "bytes_by_level without a limit|bench/result/physics.cpp|s/judged(1.02)/judged(9)/|Physics*"
  "flops_as_declared without a limit|bench/result/physics.cpp|s/judged(counters ? 0.01 : 0)/judged(9)/|Physics*"
  "kernel_below_roof without a limit|bench/result/physics.cpp|s/judged(at_roof_limit)/judged(9)/|Physics*"
  "time_grows_with_work without a limit|bench/result/physics.cpp|s/judged(0.1, INFINITY)/judged(9, INFINITY)/|Physics*"
  "samples_above_timer_step without a limit|bench/result/physics.cpp|s/judged(1000)/judged(1)/|Physics*"
  "intervals_hold_medians and rows_verified without a limit|bench/result/physics.cpp|s/judged(0);/judged(9);/|Physics*"
  "samples_within_run without a limit|bench/result/physics.cpp|s/judged(1.001)/judged(9)/|Physics*"
  "known_time without a limit|bench/result/physics.cpp|s/judged(0.01);/judged(9);/|Physics*"
  # levels, rounds and shares
  "a declared size believed whatever the ladder shows|bench/levels/levels.cpp|s/return rate_near(ladder, share \/ 2) >= .*/return true;/|*Ladder*"
  "an edge where the next level begins|bench/levels/ladder.cpp|s/rounded_edge(std::sqrt(to \* ladder.piece.end..bytes))/rounded_edge(2 * to)/|*Ladder*:Plateaus*"
  "equal neighbours taken for two levels|bench/levels/ladder.cpp|s/|| least_fall \* rate <= levels.back/|| rate <= levels.back/|*Ladder*:Plateaus*"
  "the level of a disturbed rung|bench/levels/levels.cpp|s/return near.count \/ 2..rate;/return near[0].rate;/|*Ladder*"
  "kept levels of another number of threads used|bench/levels/measured_levels.cpp|s/number() != threads) top.fail/number() != threads \&\& false) top.fail/|KeptLevels*"
  "changed levels that nobody is told of|bench/levels/levels.cpp|s/if (ratio < 1 \/ 1.5 || .*) return false;/if (ratio < 0) return false;/|Levels*:KeptLevels*"
  "rounds of a journal measured again|bench/run/rounds.cpp|s/run_.journal.kernel_round(name, round)) {/run_.journal.kernel_round(name, -1)) {/|KernelsInRounds*"
  "fewer rounds than an interval needs|bench/run/rounds.cpp|s/1.0 \* least_rounds, 1.0 \* wanted/1.0, 1.0 * wanted/|RoundsThatFit*"
  "a row that is not verified|bench/run/rounds.cpp|s/if (!row.verified) verify(row);//|KernelsInRounds*:*Planted*:Verify*"
  "a short launch timed alone|bench/sampling/sampled.cpp|s/while (one \* batch < seconds \/ 4/while (false/|Sampled*"
  "a launch timed on the data of another|bench/sampling/sampled.cpp|s/if (launch.seconds < fills_caches_itself) launch.time(1);//|Sampled*"
  "a share of the first sample of a round|bench/model/kernel_point.cpp|s/seconds.empty() ? 0 : median(seconds)/seconds.empty() ? 0 : seconds[0]/|Efficiency*"
  "a share of the best round|bench/model/assessment.cpp|s/judgement.efficiency = interval.median;/judgement.efficiency = interval.high;/|Efficiency*"
  "a share by the ceiling of another time|bench/model/assessment.cpp|s/probe.rates.i. \/ ceiling->rate;/1;/|Efficiency*"
  "a probe of memory applied to arithmetic|bench/model/roofline.cpp|s/if (ceiling.level != MemoryLevel::DRAM) return moment.core;/if (ceiling.level != MemoryLevel::DRAM) return moment.dram;/;s/!= Ceiling::Kind::bandwidth) return moment.core;/!= Ceiling::Kind::bandwidth) return moment.dram;/|Efficiency*"
  "a row above its roof counted as resolved precision|bench/result/precision.cpp|s/if (above_roof(point.assessment)) precision.contradictions.push_back(point.name);//|Precision*:Screen*:*Page*"
  # input
  "a filter that may take for ever|bench/suite/filter.cpp|s/pattern.size() > longest/false/|Filter*:*Refusals*"
  "a ceiling that stands twice accepted|bench/storage/ceilings_file.cpp|s/if (!seen.insert({row->name, row->repetition}).second)/if (false)/|*Refusals*"
  "a forged fingerprint accepted|bench/options/context_keys.cpp|s/if (is_taken(key))/if (is_taken(key) \&\& false)/|*Refusals*"
  "escape sequences let through to terminals|bench/text/clean.cpp|s/return first < 0x20 || first == 0x7F/return first == 0x7F/|Clean*"
  # files of others; "field": the cases of tests/field.py
  "points between thousands taken for decimal ones|bench/text/imports/number_format.cpp|s/(grouped ? other(marks\[0\]) : marks.back())/(marks.back())/|NumberFormat*"
  "numbers of two languages let through|bench/text/imports/number_format.cpp|s/if (!point.empty() && !comma.empty())/if (false)/|NumberFormat*"
  "mega taken for mebi|bench/text/imports/unit.cpp|s/{\"m\", 1e6}/{\"m\", 1048576}/|Units*"
  "bits taken for bytes|bench/text/imports/unit.cpp|s/ && !may_be_bits//|Units*"
  "a last line that was cut off let through|bench/text/imports/foreign_table.cpp|s/ && !csv.ended)/ \&\& false)/|ForeignTable*"
  "a byte order mark kept|bench/text/plain_text.cpp|s/text.erase(0, 3)/text.erase(0, 0)/|PlainText*"
  "sectors of ncu twice as large|reporters/imports/ncu_kernels.cpp|s/bytes_of_sector = 32/bytes_of_sector = 64/|field"
  "transactions of nvprof twice as large|reporters/imports/nvprof_csv.cpp|s/transaction = 32/transaction = 64/|field"
  "an instruction of AMD taken for one lane|reporters/imports/rocprofiler_csv.cpp|s/lanes = 64/lanes = 1/|field"
  "single precision taken for double|reporters/files/imported.cpp|s/counts.precision = precision;/counts.precision = \"fp64\";/|field"
  "launches of other work taken for samples|reporters/files/imported.cpp|s/first.name == launch.name && /first.name != launch.name \&\& /|field"
  "times of threads divided twice|reporters/imports/google_json.cpp|s/(version_.time_is_shared ? all : 1)/1/|field"
  "rates of the wrong clock|reporters/imports/google_json.cpp|s/clock = by_cpu ?/clock = by_cpu \&\& false ?/|field"
  "statistics taken for kernels|reporters/imports/google_rows.cpp|s/!sibling \&\& !is_complexity \&\& !names_.contains(base)/(sibling || names_.contains(base)) \&\& !is_complexity/|field"
  "a percentage for an unknown precision|bench/model/roofline.cpp|s/fp64->level \&\& fp64->rate == fp32->rate/true/|Roofline.*"
  "the nan of one core taken for nothing|bench/counters/imports/likwid_csv.cpp|s/lost = lost || .*/lost = false;/|LikwidCsv*"
  "80 taken for 8000 %|reporters/view/portability.cpp|s/\*value > at_roof_limit \&\& /*value > 1e9 \&\& /|field"
  "one thread held against all cores|tools/roofline/inputs.cpp|s/point.threads = has_own || .*/point.threads = known;/|field"
  "counts that perf scaled to bytes taken for lines|bench/counters/imports/imported.cpp|s/known->of == \"byte\" ?/false ?/|OtherNumbers*"
  "a count with points between thousands let through|bench/counters/perf/event_count.cpp|s/text.find('.') != text.npos/false/|OtherNumbers*"
  "commas between thousands added up|bench/counters/imports/likwid_csv.cpp|s/static_cast<std::ptrdiff_t>(cores_))/99)/|OtherNumbers*"
  "roofs of ERT that are of one thread|reporters/files/ert_json.cpp|s/const int threads = threads_of(document);/const int threads = 1;/|*RoundTrips*"
  "a range of bytes that is not read back|reporters/files/run_csv.cpp|s/if (low \&\& high) point.*//|*RoundTrips*"
  "data.txt taken for a table|reporters/imports/input.cpp|s/{\"data.txt\", {\"memroofs\"}, read_data_txt},//;s/{\"\", {\"comproofs\"}, read_data_txt},//|*RoundTrips*"
  "a parallel region of a program that opens none|bench/library/declared/declared_traffic.cpp|s/counts.regions.reset();//|DeclaredWork*"
  "times without a unit taken for ns|reporters/imports/google_json.cpp|s/if (unit.empty()) assumed_.insert(.*//|GoogleJson*"
  # reporters
  "the interval's ends swapped in the CSV|reporters/files/efficiency_csv.cpp|s/measured(\&Interval::low)/measured(\&Interval::high)/|EfficiencyCsv*"
  "the best of a family is its worst|reporters/view/family_summary.cpp|s/roof->efficiency > \*family.best_efficiency/roof->efficiency < *family.best_efficiency/|FamilySummary*"
  "written bytes of the CSV that are all bytes|reporters/files/efficiency_csv.cpp|s/csv_number(p.counts.at(level)->written)/csv_number(p.counts.at(level)->total())/|SelfConsistency*"
  "a source with a comma unquoted|reporters/files/efficiency_csv.cpp|s/csv_field(p.counts.traffic_label())/p.counts.traffic_label()/|SelfConsistency*"
  "an intensity of data.txt by another level|reporters/files/data_txt.cpp|s/const auto intensity = p->counts.intensity(level);/const auto intensity = p->counts.intensity(level == MemoryLevel::L1 ? MemoryLevel::L2 : level);/|SelfConsistency*"
  "rates of data.txt in mega|reporters/files/data_txt.cpp|s/p->flop_rate() \* 1e-9/p->flop_rate() * 1e-6/|SelfConsistency*"
  "theory in the place of ERT's rate|reporters/files/ert_json.cpp|s/flops.push_back({label, rounded(giga(c->rate))});/flops.push_back({label, rounded(giga(c->theory.value_or(c->rate)))});/|SelfConsistency*"
  "a file that is always complete|reporters/files/result_json.cpp|s/context\[\"complete\"\] = results.complete()/context[\"complete\"] = true/|SelfConsistency*"
  "a run with failed rows that is complete|bench/result/results.hpp|s/ \&\& failures.empty()//|SelfConsistency*"
  "failures that a file does not name|reporters/files/result_json.cpp|s/context\[\"failures\"\] = failures;//|SelfConsistency*"
  "a check that counts no failures|bench/result/physics.cpp|s/static_cast<double>(results.failures.size())/0/|SelfConsistency*"
  "an interval that may end below its median|bench/result/physics.cpp|s/ \&\& median <= high) return/) return/|SelfConsistency*"
  "a stored interval with one end twice|bench/storage/result_fields.hpp|s/io.must(\"low\", i.low, /io.must(\"low\", i.high, /|SelfConsistency*"
  "a time that is not stored|bench/storage/result_fields.hpp|s/io(\"in_core\", p.in_core.*//|SelfConsistency*"
  "a roof with FMA for a build without|bench/model/roofline.cpp|s/const auto operation = fma ? Operation::fma : Operation::nofma;/const auto operation = Operation::fma;/|SelfConsistency*"
  "a range that begins at its median|bench/model/assessment.cpp|s/judgement.range = interval;/judgement.range = Interval{interval.median, interval.median, interval.high};/|SelfConsistency*"
)

# part MUTATION: its parts in what, file, expression and tests; "||" belongs to an expression
part() {
  IFS='|' read -r what file expression tests <<<"${1//||/$'\x01'}"
  expression=${expression//$'\x01'/||}
}

if [ "${1:-}" = --check ]; then
  cd "$root"
  for mutation in "${mutations[@]}"; do
    part "$mutation"
    # One process each, and no copy: sed itself says with 9 that it replaced something.
    code=0
    sed -n "$expression"$'\nt done\nb\n:done\nq9' "$file" || code=$?
    [ $code = 9 ] || { echo "$what: the expression changes nothing in $file" && exit 1; }
  done
  echo "${#mutations[@]} errors can be injected"
  exit
fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git -C "$root" ls-files -z | (cd "$root" && xargs -0 cp --parents -t "$copy")
cd "$copy"

# inject FILE EXPRESSION: fails when it changes nothing
inject() {
  cp "$1" original && sed -i "$2" "$1" && ! cmp -s "$1" original
}

# try NUMBER: 1 when the tests do not see the error
try() {
  local number=$1 what file expression tests failed
  local mutation=${mutations[number - 1]}
  part "$mutation"
  inject "$file" "$expression" || { echo "$number $what: the expression changes nothing in $file" && exit 1; }
  local target=roofline_tests
  [ "$tests" = field ] && target='roofline roofline_bench'
  # shellcheck disable=SC2086
  cmake --build --preset release --target $target >log 2>&1 || { tail log && exit 1; }
  if [ "$tests" = field ]; then
    if ! tests/field.py build/release/bin/roofline build/release/bin/roofline_bench >log 2>&1; then
      echo "$number $what: $(tail -1 log)"
      cp original "$file"
      return
    fi
    echo "$number $what: NOT CAUGHT"
    cp original "$file"
    return 1
  fi
  if build/release/roofline_tests --gtest_brief=1 --gtest_filter="$tests" >log 2>&1; then
    echo "$number $what: NOT CAUGHT"
    cp original "$file"
    return 1
  fi
  # All of them: on a busy machine one may fail that has nothing to do with the edit. None: the program itself died.
  failed=$(grep -o '^\[  FAILED  \] [^ ,]*\.[^ ,]*' log | cut -c14- | sort -u | tr '\n' ' ' || true)
  echo "$number $what: ${failed:-the tests end with $(tail -1 log)}"
  cp original "$file"
}

[ $# -gt 0 ] || set -- "1-${#mutations[@]}"
cmake --preset release -DROOFLINE_CUDA=OFF >/dev/null
missed=0
for range in "$@"; do
  for ((number = ${range%-*}; number <= ${range#*-}; ++number)); do
    try "$number" || missed=1
  done
done
exit $missed
